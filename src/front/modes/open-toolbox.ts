/** The meta-tool `open_toolbox`: starts the servers of a toolbox and returns its content. */
import type { Call, CallOutcome } from '../../base/call/call.ts';
import { TaskRefused } from '../../base/call/task.ts';
import { WorkbenchError } from '../../base/errors/errors.ts';
import { findObject, type JsonObject } from '../../base/json/json.ts';
import type { Entry, Toolbox } from '../../toolbox/toolbox.ts';
import { isAvailable } from '../../workbench/reports/server-status.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';
import { correctOpenToolbox, withCorrection } from '../calls/correction.ts';
import { errorResult, explainMissing, structuredResult } from '../calls/tool-result.ts';
import { describeToolbox } from '../model-text/describe-toolbox.ts';
import { quoteInstructions } from '../model-text/instructions.ts';
import { parseOpenToolbox } from '../model-text/meta-input.ts';
import { openToolboxName } from '../model-text/meta-tools.ts';

export interface OpenOptions {
  /** The description of an entry in the answer, beside `server` and `toolbox`. */
  toDefinition(entry: Entry): JsonObject;
  /** The content of the toolbox beside tools; nothing where there is none. */
  describeMore(toolbox: string): JsonObject;
  onOpened?(toolbox: Toolbox): void;
}

export async function openToolbox(bench: WorkbenchView, call: Call, options: OpenOptions): Promise<CallOutcome> {
  if (call.task?.wish !== undefined) throw new TaskRefused(openToolboxName);
  const given = findObject(call.params, 'arguments') ?? {};
  const input = parseOpenToolbox(given);
  if ('problem' in input) return errorResult(withCorrection(input.problem, correctOpenToolbox(bench, given)));
  try {
    const toolbox = await openSignedIn(bench, input.value.toolbox, call);
    options.onOpened?.(toolbox);
    return describeOpened(bench, toolbox, options);
  } catch (error) {
    if (!(error instanceof WorkbenchError)) throw error;
    return errorResult(withCorrection(`${error.message}. ${error.fix}`, correctOpenToolbox(bench, given)));
  }
}

/** The client is asked for a sign-in only when the toolbox shows no tools without it. */
async function openSignedIn(bench: WorkbenchView, name: string, call: Call): Promise<Toolbox> {
  const known = bench.snapshot.toolboxes.get(name);
  for (const { key } of known?.placements.values() ?? []) await bench.afterSignIn(key, call);
  const toolbox = await bench.open(name);
  if (toolbox.entries.tools.length > 0) return toolbox;
  for (const { key } of toolbox.placements.values()) {
    if (bench.statusOf(key).failure?.code === 'WB1201') await bench.askSignIn(key, call);
  }
  return toolbox;
}

function describeOpened(
  bench: WorkbenchView,
  toolbox: Toolbox,
  { toDefinition, describeMore }: OpenOptions,
): CallOutcome {
  const placements = [...toolbox.placements.values()];
  const ready = placements.filter(({ key }) => isAvailable(bench.statusOf(key)));
  const missing = placements
    .filter((placement) => !ready.includes(placement))
    .map(({ server, key }) => ({ server, reason: explainMissing(bench.statusOf(key)) }));
  if (ready.length === 0 && toolbox.entries.tools.length === 0 && missing.length > 0) {
    return errorResult(
      missing
        .map(({ server, reason }) => `Failed to connect to server '${server}' in toolbox '${toolbox.name}': ${reason}`)
        .join('\n'),
    );
  }
  const said = quoteInstructions(
    placements.map(({ server, key }) => ({ name: server, instructions: bench.statusOf(key).instructions })),
  );
  return structuredResult({
    toolbox: toolbox.name,
    description: describeToolbox({ ...toolbox, placements }, bench),
    servers_connected: ready.length,
    // Present only when something is missing: a model should not look for tools that cannot appear.
    ...(missing.length === 0 ? {} : { servers_failed: missing }),
    ...(Object.keys(said).length === 0 ? {} : { server_instructions: said }),
    tools: toolbox.entries.tools.map((entry) => ({
      ...toDefinition(entry),
      server: entry.address.server,
      toolbox: entry.address.toolbox,
    })),
    ...describeMore(toolbox.name),
  });
}
