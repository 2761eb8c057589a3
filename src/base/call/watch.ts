/** A resource whose changes a client wants to hear about. */
import type { RpcError } from '../rpc/rpc.ts';

/** Called when the resource, or something inside it, has changed; the URI says which. */
export type OnUpdated = (uri: string) => void;

export type Watch = { stop(): void } | { readonly error: RpcError };
