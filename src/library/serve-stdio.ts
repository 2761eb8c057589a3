/** Serves a workbench to one client over a pair of streams. */

import type { Readable, Writable } from 'node:stream';
import { memoize } from '../base/async/memoize.ts';
import { workbenchName } from '../base/call/trail.ts';
import type { WorkbenchError } from '../base/errors/errors.ts';
import { toClientError } from '../config/document/refusal.ts';
import type { Mode } from '../config/model/config.ts';
import { createFront } from '../front/create-front.ts';
import type { Front } from '../front/front.ts';
import { refuseFrontStdio as refuseWith } from '../serve/refuse-stdio.ts';
import { type StdioService, serveFrontStdio } from '../serve/stdio.ts';
import { version } from '../version.ts';
import { scopeView } from '../workbench/view/workbench-view.ts';
import type { Workbench } from '../workbench/workbench.ts';

export interface ServeOptions {
  readonly workbench: Workbench;
  readonly input: Readable;
  readonly output: Writable;
  /** How the server presents itself to clients. */
  readonly name?: string;
  readonly version?: string;
  /** Replaces the value in the configuration of the workbench. */
  readonly mode?: Mode;
  readonly separator?: string;
  /** The id of the client, where the person who set it up states it: how tools are shown to it. */
  readonly client?: string;
  /** Passes results of tools on whole, for a client that is not a model. Wins over the configuration. */
  readonly wholeResults?: boolean;
}

/**
 * Serves one client over a pair of streams, by default in the mode of the workbench's configuration. Can be called for any number
 * of clients of one workbench; then call `workbench.admit('many')` first.
 */
export function serveStdio(options: ServeOptions): StdioService {
  const { workbench, input, output } = options;
  const identity = { name: options.name ?? workbenchName, version: options.version ?? version };
  const { limits } = workbench.config;
  workbench.admit('one');
  const shared = frontOf(workbench, options);
  const front = options.client === undefined ? shared : shared.forClient(options.client);
  return serveFrontStdio({
    ...{ front, identity, input, output, log: workbench.log },
    maxMessageBytes: limits.requestBytes,
    maxMessageValues: limits.requestValues,
    maxRequests: limits.requestsPerClient,
    maxPendingBytes: limits.pendingBytes,
  });
}

export interface RefuseOptions extends Pick<ServeOptions, 'input' | 'output'> {
  /** Why nothing can be served. */
  readonly error: WorkbenchError;
}

/** Tells the client of a pair of streams why it cannot be served, in answer to its first request; resolves when that is done. */
export function refuseStdio({ error, ...options }: RefuseOptions): Promise<void> {
  return refuseWith({ ...options, error: toClientError(error) });
}

/** Clients with the same view share its parts. */
const frontsOf = memoize((_workbench: Workbench) => new Map<string, Front>());

function frontOf(
  workbench: Workbench,
  { mode, separator, wholeResults = false }: Pick<ServeOptions, 'mode' | 'separator' | 'wholeResults'>,
): Front {
  const known = frontsOf(workbench);
  const key = JSON.stringify([mode ?? null, separator ?? null, wholeResults]);
  const front =
    known.get(key) ?? createFront(scopeView(workbench, { mode, separator, wholeResults: wholeResults || undefined }));
  known.set(key, front);
  return front;
}
