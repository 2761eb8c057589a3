/**
 * Mode `dynamic`: opening a toolbox adds its tools to this client's list, under `{toolbox}__{server}__{tool}`.
 * A client whose list must stay constant gets the two meta-tools instead, and can still call the public names.
 */
import { quote, toBrief } from '../base/brief.ts';
import type { Call, CallOutcome } from '../base/call.ts';
import { WorkbenchError } from '../base/errors.ts';
import { findMember, findObject, findString, type JsonObject, withMembers } from '../base/json.ts';
import { buildDynamicNames, describeCollision, type NameTable } from '../toolbox/name-table.ts';
import { dynamicName, parseDynamicName } from '../toolbox/public-name.ts';
import type { Entry } from '../toolbox/toolbox.ts';
import { getPlacement, getToolbox } from '../workbench/resolve.ts';
import { createClientLists } from './client-lists.ts';
import { correctPublicCall, toWanted, withCorrection } from './correction.ts';
import { forwardTool } from './deliver.ts';
import { withDescriptions } from './describe-toolbox.ts';
import type { ConnectOptions, ModeSession, SessionContext } from './front.ts';
import { dynamicInstructions, metaInstructions } from './instructions.ts';
import { callMetaTool } from './meta.ts';
import { openToolboxName, openToolboxTool, useToolName, useToolTool } from './meta-tools.ts';
import { openToolbox } from './open-toolbox.ts';
import { buildPagedList, type PagedList } from './paged-list.ts';
import { perSnapshot } from './per-snapshot.ts';
import { publicTool } from './public-uris.ts';
import { toPlaceText } from './server-failure.ts';
import { buildSessionParts } from './session-parts.ts';
import { createShelves, findOnlyToolbox, startOnlyToolbox } from './shelves.ts';
import { errorResult, explain } from './tool-result.ts';

const reserved = [openToolboxName, useToolName];

export function createDynamicSession(context: SessionContext, { constantLists }: ConnectOptions): ModeSession {
  const { bench, clock, opened } = context;
  const names = perSnapshot(
    bench,
    ({ config, toolboxes }): NameTable => buildDynamicNames(config, toolboxes.values(), { kind: 'tools', reserved }),
  );
  const toDefinition = (entry: Entry) =>
    publicDefinition(
      publicTool(bench, entry),
      entry,
      dynamicName({ ...entry.address, name: entry.item.shown }, bench.config),
    );

  const currentTools = (): PagedList => {
    const { config } = bench;
    const metaTools = constantLists ? [openToolboxTool(config), useToolTool] : [openToolboxTool(config)];
    const shown = [...names().entries].filter(([, { address }]) => opened.has(address.toolbox));
    return buildPagedList(
      'tools',
      [...metaTools, ...shown.map(([name, entry]) => publicDefinition(publicTool(bench, entry), entry, name))],
      config.pageSize,
    );
  };
  const isOnly = (toolbox: string) => toolbox === findOnlyToolbox(bench)?.name;
  const shelves = createShelves(bench, (toolbox) => (constantLists ? isOnly(toolbox) : opened.has(toolbox)));
  const lists = createClientLists({
    bench,
    clock,
    isOfServers: (kind) => kind !== 'tools' || !constantLists,
    current: (kind) => (kind === 'tools' ? currentTools() : shelves[kind].list()),
    ready: (kind) => (kind === 'tools' || !constantLists ? Promise.resolve() : startOnlyToolbox(bench)),
  });

  return {
    ...buildSessionParts(context, shelves, lists),
    get instructions() {
      const config = withDescriptions(bench);
      return constantLists ? metaInstructions(config) : dynamicInstructions(config);
    },
    async callTool(call) {
      const name = findMember(call.params, 'name');
      if (constantLists && reserved.includes(String(name)))
        return callMetaTool(context, call, { describeMore: shelves.describe });
      if (name !== openToolboxName) return callPublicName(context, String(name), call, names);
      return openToolbox(bench, call, {
        toDefinition,
        describeMore: shelves.describe,
        onOpened(toolbox) {
          opened.add(toolbox.name);
          lists.check();
        },
      });
    },
    findInputSchema(name) {
      const entry = names().entries.get(name);
      const shown = entry !== undefined && opened.has(entry.address.toolbox);
      return shown ? findObject(entry.item.definition, 'inputSchema') : undefined;
    },
  };
}

function publicDefinition(definition: JsonObject, { address, item }: Entry, publicName: string): JsonObject {
  const place = `[${address.toolbox}/${address.server}]`;
  const description = findString(definition, 'description');
  return withMembers(definition, {
    name: publicName,
    description: description === undefined ? place : `${place} ${description}`,
    _meta: {
      ...findObject(definition, '_meta'),
      source_server: address.server,
      toolbox_name: address.toolbox,
      original_name: item.shown,
    },
  });
}

async function callPublicName(
  context: SessionContext,
  publicName: string,
  call: Call,
  names: () => NameTable,
): Promise<CallOutcome> {
  const { bench } = context;
  const address = names().entries.get(publicName)?.address ?? parseDynamicName(publicName);
  const correct = () => correctPublicCall(bench, toWanted(publicName, call.params), names().entries);
  if (address === null) {
    const problem = `Error: Invalid tool name format ${quote(publicName)}. Expected format: {toolbox}__{server}__{tool} (note: double underscores between all components)`;
    return errorResult(withCorrection(problem, correct()));
  }
  try {
    const toolbox = getToolbox(bench.snapshot, address.toolbox);
    getPlacement(toolbox, address.server);
  } catch (error) {
    if (error instanceof WorkbenchError)
      return errorResult(withCorrection(`Error: ${error.message}. ${error.fix}`, correct()));
    throw error;
  }
  const owners = names().collisions.get(publicName);
  if (owners !== undefined) return errorResult(toBrief(`Error: ${describeCollision(publicName, owners)}`));
  const place = toPlaceText(address);
  return forwardTool(context, address, call, {
    correct,
    toOutcome: (error) => errorResult(`${place} Error: ${error.message}`, { 'dev.mcp-workbench/error': error }),
    toText: (error) => explain(`${place} Error: ${error.message}`, error),
  });
}
