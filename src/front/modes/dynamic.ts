/**
 * Mode `dynamic`: opening a toolbox adds its tools to this client's list, under `{toolbox}__{server}__{tool}`.
 * A client whose list must stay constant gets the two meta-tools instead, and can still call the public names.
 */

import type { Call, CallOutcome } from '../../base/call/call.ts';
import { WorkbenchError } from '../../base/errors/errors.ts';
import { findMember, findObject, findString, type JsonObject, withMembers } from '../../base/json/json.ts';
import { quote, truncate } from '../../base/text/error-text.ts';
import { buildDynamicNames, describeCollision, findPublicEntry, type NameTable } from '../../toolbox/name-table.ts';
import { dynamicName, parseDynamicName } from '../../toolbox/public-name.ts';
import type { Entry } from '../../toolbox/toolbox.ts';
import { getPlacement, getToolbox } from '../../workbench/calls/resolve.ts';
import { correctPublicCall, toWanted, withCorrection } from '../calls/correction.ts';
import { callTool } from '../calls/forward-call.ts';
import { callReadResult, isReadResult } from '../calls/long-results.ts';
import { toPlaceText } from '../calls/server-failure.ts';
import { errorResult, explain } from '../calls/tool-result.ts';
import type { FrontConnectOptions, ModeSession, SessionContext } from '../front.ts';
import { createClientLists } from '../lists/client-lists.ts';
import { findListedSchema, listedTool } from '../lists/listed-tool.ts';
import { buildPagedList, type PagedList } from '../lists/paged-list.ts';
import { perSnapshot } from '../lists/per-snapshot.ts';
import { createToolboxViews, findOnlyToolbox, startOnlyToolbox } from '../lists/toolbox-views.ts';
import { withDescriptions } from '../model-text/describe-toolbox.ts';
import { dynamicInstructions, metaInstructions } from '../model-text/instructions.ts';
import { openToolboxName, openToolboxTool, useToolName, useToolTool } from '../model-text/meta-tools.ts';
import { resultTools } from '../model-text/read-result-tool.ts';
import { publicTool } from '../uris/public-uris.ts';
import { callMetaTool } from './meta.ts';
import { openToolbox } from './open-toolbox.ts';
import { buildSessionParts } from './session-parts.ts';

const reserved = [openToolboxName, useToolName];

export function createDynamicSession(context: SessionContext, { constantLists }: FrontConnectOptions): ModeSession {
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
      [
        ...metaTools,
        ...resultTools(config),
        ...shown.map(([name, entry]) => publicDefinition(listedTool(bench, entry), entry, name)),
      ],
      config.pageSize,
    );
  };
  const isOnly = (toolbox: string) => toolbox === findOnlyToolbox(bench)?.name;
  const shelves = createToolboxViews(bench, (toolbox) => (constantLists ? isOnly(toolbox) : opened.has(toolbox)));
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
      if (isReadResult(bench, call)) return callReadResult(context, call);
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
      const entry = findPublicEntry(names(), name);
      const shown = entry !== undefined && opened.has(entry.address.toolbox);
      return shown ? findListedSchema(bench, entry) : undefined;
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
  const address = findPublicEntry(names(), publicName)?.address ?? parseDynamicName(publicName);
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
  if (owners !== undefined) return errorResult(truncate(`Error: ${describeCollision(publicName, owners)}`));
  const place = toPlaceText(address);
  return callTool(context, address, call, {
    correct,
    toOutcome: (error) => errorResult(`${place} Error: ${error.message}`, { 'dev.mcp-workbench/error': error }),
    toText: (error) => explain(`${place} Error: ${error.message}`, error),
  });
}
