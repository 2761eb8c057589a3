/**
 * A session that is always of the mode in force: when a reload changes the mode, another session takes the place of the one before,
 * for the same client, who is told that its lists have changed. What the client has opened stays open, as long as it exists.
 */
import { createSignal } from '../base/signal.ts';
import type { Mode } from '../config/config.ts';
import type { Bench } from '../workbench/bench.ts';
import { type Capability, capabilities, type FrontSession } from './front.ts';

export type MakeSession = (mode: Mode, opened: Set<string>) => FrontSession;

export function followMode(bench: Bench, make: MakeSession): FrontSession {
  const opened = new Set<string>();
  const changed = new Map(capabilities.map((capability) => [capability, createSignal<void>()]));
  const listened = new Map<Capability, () => void>();
  let { mode } = bench.config;
  let session = make(mode, opened);

  /** A list is watched only while somebody wants to be told of it. */
  const listen = (capability: Capability) =>
    listened.set(
      capability,
      session.onListChanged(capability, () => changed.get(capability)?.emit()),
    );
  const stopFollowing = bench.onChanged(() => {
    const { config } = bench;
    for (const toolbox of opened) if (!config.toolboxes.has(toolbox)) opened.delete(toolbox);
    if (config.mode === mode) return;
    mode = config.mode;
    session.close();
    session = make(mode, opened);
    for (const capability of listened.keys()) {
      listen(capability);
      changed.get(capability)?.emit();
    }
  });

  return {
    get instructions() {
      return session.instructions;
    },
    list: (kind, cursor) => session.list(kind, cursor),
    hint: (kind) => session.hint(kind),
    callTool: (call) => session.callTool(call),
    getPrompt: (call) => session.getPrompt(call),
    readResource: (call) => session.readResource(call),
    complete: (call) => session.complete(call),
    subscribe: (uri, subscriber) => session.subscribe(uri, subscriber),
    findInputSchema: (name) => session.findInputSchema(name),
    onListChanged(capability, listener) {
      if (!listened.has(capability)) listen(capability);
      return changed.get(capability)?.on(listener) ?? (() => {});
    },
    close() {
      stopFollowing();
      session.close();
    },
  };
}
