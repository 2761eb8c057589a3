/**
 * A session that always has the surface in force: when a reload changes the mode, another session replaces the previous one for
 * the same client, which is told that its lists have changed. Opened toolboxes stay open as long as they exist.
 */
import { createEmitter } from '../base/async/emitter.ts';
import { type Capability, capabilities, type FrontSession, type ModeSession, type SessionContext } from './front.ts';

/** What a session shows; equal keys look the same. */
export interface Shown {
  readonly key: string;
  /** Not decided yet: what takes its place is not a change for the client. */
  readonly isPending: boolean;
  /** `current` is the session that the client has by the time of the call. */
  make(current: () => ModeSession): ModeSession;
}

export interface SwitchingOptions extends Pick<SessionContext, 'bench' | 'opened'> {
  /** What this client is to be shown now. */
  choose(): Shown;
  /** Called when a choice that was pending may have been made. */
  onChosen(listener: () => void): () => void;
}

export function createModeSwitchingSession({ bench, opened, choose, onChosen }: SwitchingOptions): FrontSession {
  const clientListChanged = new Map(capabilities.map((capability) => [capability, createEmitter<void>()]));
  const followed = new Set<Capability>();
  let shown = choose();
  let session: ModeSession = shown.make(() => session);

  /** A list is compared only while the client wants to be told about it. */
  const follow = (capability: Capability) => {
    followed.add(capability);
    session.onClientListChanged(capability, () => clientListChanged.get(capability)?.emit());
  };
  const show = (next: Shown) => {
    const { isPending } = shown;
    session.close();
    shown = next;
    session = next.make(() => session);
    for (const capability of followed) {
      follow(capability);
      if (!isPending) clientListChanged.get(capability)?.emit();
    }
  };
  const stopFollowing = bench.onChanged(() => {
    const { config } = bench;
    for (const toolbox of opened) if (!config.toolboxes.has(toolbox)) opened.delete(toolbox);
    const next = choose();
    if (next.key === shown.key) session.listingChanged();
    else show(next);
  });
  const stopWaiting = onChosen(() => {
    if (!shown.isPending) return;
    const next = choose();
    if (!next.isPending) show(next);
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
      stopWaiting();
      session.close();
    },
  };
}
