/** What a server of the handshake era expects on every request after `initialize`. */
import { findMember, findObject, findString, isObject, type Json } from '../../base/json/json.ts';
import { findExcess } from '../../base/json/json-bounds.ts';
import type { HttpAnswer } from './client.ts';

export interface HttpSession {
  /** Undefined for a server without sessions. */
  readonly id: string | undefined;
  readonly version: string | undefined;
}

export const noSession: HttpSession = { id: undefined, version: undefined };

export function sessionHeaders({ id, version }: HttpSession): [string, string][] {
  const headers: [string, string][] = [];
  if (id !== undefined) headers.push(['mcp-session-id', id]);
  if (version !== undefined) headers.push(['mcp-protocol-version', version]);
  return headers;
}

/** Visible ASCII, as the protocol requires; other text could not be sent back. */
export function findSessionId(answer: HttpAnswer): string | undefined {
  const id = answer.header('mcp-session-id');
  return id !== undefined && /^[\x21-\x7e]{1,4096}$/.test(id) ? id : undefined;
}

/** A first answer with more values is not parsed. */
const maxValues = 100_000;

/** The version in an answer to `initialize`; undefined for any other message. */
export function findSessionVersion(text: string): string | undefined {
  // The peer refuses such a message as well.
  if (findExcess(text, { values: maxValues }) !== undefined) return undefined;
  try {
    const message = JSON.parse(text) as Json;
    if (!isObject(message) || findMember(message, 'id') === undefined) return undefined;
    const version = findString(findObject(message, 'result') ?? {}, 'protocolVersion');
    return version !== undefined && /^[\w.-]{1,40}$/.test(version) ? version : undefined;
  } catch {
    return undefined;
  }
}
