/** What each client is shown, or would be, and why: for a person to look at. */
import type { FixedMode } from '../../base/mode.ts';
import type { SchemaForm } from '../../clients/plan-surface.ts';
import { findPinned } from '../../toolbox/pinned.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';
import { createSurfaceChooser } from './choose-surface.ts';
import { identifyClient, listClientIds } from './identify-client.ts';
import { measureCatalog } from './measure-catalog.ts';

export interface ClientReport {
  readonly id: string;
  readonly title: string;
  readonly mode: FixedMode;
  readonly why: string;
  readonly schemas: SchemaForm;
  /** Longest public name; undefined for no limit. */
  readonly maxNameLength?: number | undefined;
  readonly pinned: readonly string[];
  /** A client was given this in this run, and others get the same; otherwise it is decided when one comes. */
  readonly given: boolean;
}

export interface ClientsReport {
  readonly tools: number;
  /** Estimated: names, descriptions and input schemas of all tools. */
  readonly tokens: number;
  readonly clients: readonly ClientReport[];
  /** Pins that no tool answers to, of servers that were heard. */
  readonly lostPins: readonly string[];
}

/** Undefined where every client is shown the same. */
export function reportClients(bench: WorkbenchView): ClientsReport | undefined {
  const { config, snapshot } = bench;
  const hasPins = (config.pinned ?? []).length > 0;
  if (config.mode !== 'auto' && config.clients.size === 0 && !hasPins) return undefined;
  const chooser = createSurfaceChooser(bench, '');
  const clients = listClientIds(config).map((id): ClientReport => {
    const who = { id, name: undefined };
    const { surface, isKept } = chooser.peek(who);
    const { mode, why, schemas, maxNameLength, pinned } = surface;
    return {
      id,
      title: identifyClient(config, who).row.title,
      mode,
      why,
      schemas,
      maxNameLength,
      pinned,
      given: isKept,
    };
  });
  const { tools, tokens, unknown } = measureCatalog(bench);
  const pins = [...new Set(clients.flatMap(({ pinned }) => pinned))];
  const { unmatched } = findPinned(pins, snapshot.toolboxes.values());
  // A pin may be for a server that could not be heard.
  return { tools, tokens: tokens(), clients, lostPins: unknown.length > 0 ? [] : unmatched };
}
