/** The edges of a client whose era is not known before it speaks: `initialize` opens the handshake era. */
import { RawJson } from '../base/json/raw-json.ts';
import { rpcCode, rpcError } from '../base/rpc/rpc.ts';
import type { Edges } from './conversation/conversation.ts';
import type { Request } from './conversation/message.ts';
import type { ClientEdge } from './edge/edge.ts';
import { findReturn } from './edge/find-return.ts';
import { createLegacyEdge, type LegacyEdge, type LegacyEdgeOptions } from './legacy/legacy.ts';
import { isModernRequest } from './modern/is-modern-request.ts';

export interface ErasOptions {
  readonly legacy: LegacyEdgeOptions;
  /** Makes the edge of the stateless era, where the client may use it here. */
  openModern?(first: Request): ClientEdge;
  /** What to say to a request that came before its era was known. */
  explainEarly(method: string): string;
}

export interface Eras extends Edges {
  readonly legacy: LegacyEdge | undefined;
  close(): void;
}

export function createEras({ legacy: options, openModern, explainEarly }: ErasOptions): Eras {
  let legacy: LegacyEdge | undefined;
  let modern: ClientEdge | undefined;
  return {
    get legacy() {
      return legacy;
    },
    find(request) {
      const returning = findReturn(options.front, request);
      if (returning !== undefined) return { error: returning };
      if (request.method === 'initialize') {
        legacy?.close();
        const opened = createLegacyEdge(options, request);
        legacy = opened.edge;
        return opened.answer;
      }
      if (openModern !== undefined && isModernRequest(request)) {
        modern ??= openModern(request);
        return modern;
      }
      if (legacy !== undefined) return legacy;
      // A client may ping at any time.
      if (request.method === 'ping') return { result: RawJson.of({}) };
      return { error: rpcError(rpcCode.invalidRequest, explainEarly(request.method)) };
    },
    close() {
      modern?.close();
      legacy?.close();
    },
  };
}
