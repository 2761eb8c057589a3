/** What a test may expect of any client, whatever it is made of and whatever carries its messages. */
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { Era } from '../support.ts';

export interface Answer {
  readonly result?: JsonObject;
  readonly error?: JsonObject;
}

export interface CallOptions {
  readonly onProgress?: (params: JsonObject) => void;
  readonly signal?: AbortSignal;
  /** Wants log messages from this level on. */
  readonly logLevel?: 'debug' | 'error';
}

export interface TransportClient {
  readonly era: Era;
  /** Params of the log messages so far. */
  readonly logs: readonly JsonObject[];
  /** Names of all tools, never from a cache. */
  names(): Promise<string[]>;
  /** Fails only when the call is given up. */
  call(name: string, args?: JsonObject, options?: CallOptions): Promise<Answer>;
  /** Calls back for every announcement; resolves once the program will announce. */
  onToolsChanged(callback: () => void): Promise<void>;
  close(): Promise<unknown>;
}

/** Where a program listens, and what it wants to see. */
export interface HttpPlace {
  readonly url: string;
  readonly token: string;
}
