/**
 * A session that always has the mode in force: when a reload changes the mode, another session replaces the previous one for the
 * same client, which is told that its lists have changed. Opened toolboxes stay open as long as they exist.
 */
import { createEmitter } from '../base/async/emitter.ts';
import type { Mode } from '../config/model/config.ts';
import { type Capability, capabilities, type FrontSession, type ModeSession, type SessionContext } from './front.ts';

export function createModeSwitchingSession(
  { bench, opened }: SessionContext,
  make: (mode: Mode) => ModeSession,
): FrontSession {
  const clientListChanged = new Map(capabilities.map((capability) => [capability, createEmitter<void>()]));
  const followed = new Set<Capability>();
  let { mode } = bench.config;
  let session = make(mode);

  /** A list is compared only while the client wants to be told about it. */
  const follow = (capability: Capability) => {
    followed.add(capability);
    session.onClientListChanged(capability, () => clientListChanged.get(capability)?.emit());
  };
  const changeMode = () => {
    session.close();
    session = make(mode);
    for (const capability of followed) {
      follow(capability);
      clientListChanged.get(capability)?.emit();
    }
  };
  const stopFollowing = bench.onChanged(() => {
    const { config } = bench;
    for (const toolbox of opened) if (!config.toolboxes.has(toolbox)) opened.delete(toolbox);
    if (config.mode === mode) return session.listingChanged();
    mode = config.mode;
    changeMode();
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
    onClientListChanged(capability, listener) {
      if (!followed.has(capability)) follow(capability);
      return clientListChanged.get(capability)?.on(listener) ?? (() => {});
    },
    close() {
      stopFollowing();
      session.close();
    },
  };
}
