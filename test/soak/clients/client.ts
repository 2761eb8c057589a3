/** A client of the soak, whatever its era and transport. Ids begin at 1 with each of them, so that they are all the same. */
import type { Answer, Json } from './answer.ts';

export interface Asking {
  readonly method: string;
  readonly params: Json;
  /** With it progress is asked for. */
  readonly onProgress?: (params: Json) => void;
  /** A question that came for this request; gives what the person says. */
  readonly onQuestion?: (params: Json) => Json;
  /** Its server does not say which call of this client a question is about, so it may come on the stream of another one. */
  readonly askedAnywhere?: boolean;
}

export interface Asked {
  readonly answer: Promise<Answer>;
  /** Takes the request back, in the way of the era. */
  cancel(): void;
}

export interface SoakClient {
  readonly era: 'legacy' | 'modern';
  /** Requests that are not over. */
  readonly open: number;
  ask(asking: Asking): Asked;
  /** Ends the session or the connections and begins anew. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

/** What reaches a client although nothing it has asked explains it. */
export interface Strays {
  /** A message that belongs to nobody here. */
  stray(about: string): void;
  /** A second answer to one request. */
  twice(about: string): void;
}

export const capabilities = { elicitation: { form: {} } };
export const clientInfo = { name: 'soak', version: '1' };
