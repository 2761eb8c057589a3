/** A resource that somebody wants to hear of. */
import type { RpcError } from './rpc.ts';

/** Told when it, or something inside it, has changed: which, is said by its URI. */
export type OnUpdated = (uri: string) => void;

export type Watch = { stop(): void } | { readonly error: RpcError };
