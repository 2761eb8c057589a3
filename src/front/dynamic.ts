/**
 * Mode `dynamic`: opening a toolbox adds its tools to this client's list, under `{toolbox}__{server}__{tool}`.
 * A client whose list must stay constant gets the two meta-tools instead and may call the public names all the same.
 */
import { quote, toBrief } from '../base/brief.ts';
import type { Call, CallOutcome } from '../base/call.ts';
import { WorkbenchError } from '../base/errors.ts';
import { findMember, findObject, findString, type JsonObject, withMembers } from '../base/json.ts';
import { buildDynamicNames, describeCollision, type NameTable } from '../toolbox/name-table.ts';
import { dynamicName, parseDynamicName } from '../toolbox/public-name.ts';
import type { Address, Entry } from '../toolbox/toolbox.ts';
import type { Bench } from '../workbench/bench.ts';
import { getPlacement, getToolbox } from '../workbench/resolve.ts';
import { createClientLists } from './client-lists.ts';
import { correctPublicCall, toWanted, withCorrection } from './correction.ts';
import { forwardPublic } from './deliver.ts';
import { withDescriptions } from './describe-toolbox.ts';
import type { FrontSession, SessionOptions } from './front.ts';
import { dynamicInstructions, metaInstructions } from './instructions.ts';
import { callMetaTool } from './meta.ts';
import { openToolboxName, openToolboxTool, useToolName, useToolTool } from './meta-tools.ts';
import { openToolbox } from './open-toolbox.ts';
import { buildPagedList, type PagedList } from './paged-list.ts';
import { perSnapshot } from './per-snapshot.ts';
import { publicTool } from './public-tool.ts';
import { isForClient, toPlaceText, withSignature } from './server-failure.ts';
import { buildSessionParts } from './session-parts.ts';
import { createShelves, findOnlyToolbox, startOnlyToolbox } from './shelves.ts';
import { errorResult, explain, isAboutAddress } from './tool-result.ts';

const reserved = [openToolboxName, useToolName];

export function createDynamicSession(bench: Bench, { clock, constantLists, opened }: SessionOptions): FrontSession {
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
    ...buildSessionParts(bench, shelves, lists),
    get instructions() {
      const config = withDescriptions(bench);
      return constantLists ? metaInstructions(config) : dynamicInstructions(config);
    },
    async callTool(call) {
      const name = findMember(call.params, 'name');
      if (constantLists && reserved.includes(String(name)))
        return callMetaTool(bench, call, { describeMore: shelves.describe });
      if (name !== openToolboxName) return callPublicName(bench, String(name), call, names);
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
  bench: Bench,
  publicName: string,
  call: Call,
  names: () => NameTable,
): Promise<CallOutcome> {
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
  return delegate(bench, address, call, correct);
}

async function delegate(
  bench: Bench,
  address: Address,
  call: Call,
  correct: () => string | undefined,
): Promise<CallOutcome> {
  const place = toPlaceText(address);
  try {
    const outcome = withSignature(bench, address, call, await forwardPublic(bench, address, call));
    if (!('error' in outcome) || isForClient(outcome.error)) return outcome;
    return errorResult(`${place} Error: ${outcome.error.message}`, { 'dev.mcp-workbench/error': outcome.error });
  } catch (error) {
    if (!(error instanceof WorkbenchError)) throw error;
    const text = explain(`${place} Error: ${error.message}`, error);
    return errorResult(isAboutAddress(error) ? withCorrection(text, correct()) : text);
  }
}
