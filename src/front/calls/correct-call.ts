/**
 * What a call that cannot be understood most likely means, as the call that can be sent instead. Only what exists here is put into
 * it; the model that sends it decides.
 */
import { findMember, isObject, type Json, type JsonObject, parseObject } from '../../base/json/json.ts';
import { nearestNames } from '../../base/text/nearest.ts';
import { namesOf } from '../../config/model/config.ts';
import type { Address, Entry } from '../../toolbox/toolbox.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';

/** As far as the call says it. */
export interface Wanted {
  readonly toolbox?: string | undefined;
  readonly server?: string | undefined;
  readonly name?: string | undefined;
  readonly arguments: JsonObject;
}

const toolboxKeys = ['toolbox', 'toolbox_name', 'toolboxName'];
const serverKeys = ['server', 'server_name', 'serverName', 'source_server'];
const nameKeys = ['name', 'tool_name', 'toolName', 'tool'];
const argumentKeys = ['arguments', 'args', 'input', 'params', 'parameters'];

/** From the input of `use_tool`, in any arrangement of its parts. */
export function readUseTool(input: JsonObject): Wanted {
  const tool = findMember(input, 'tool');
  const inner = isObject(tool) ? tool : typeof tool === 'string' ? (parseObject(tool) ?? readPath(tool)) : {};
  const places = [inner, input];
  return {
    toolbox: findText(places, toolboxKeys),
    server: findText(places, serverKeys),
    name: findText(places, nameKeys),
    arguments: readArguments(places) ?? readRest(input),
  };
}

/** The tool that is meant, if one fits. */
export function findMeant(bench: WorkbenchView, wanted: Wanted): Address | undefined {
  const { name = '' } = wanted;
  if (name === '' || name.length > maxNameLength) return undefined;
  const tools = [...bench.snapshot.toolboxes.values()].flatMap(({ entries }) => entries.tools);
  // A name may be a whole path, unless it is the name of a tool.
  const path =
    wanted.server === undefined && !tools.some(({ item }) => item.shown === name) ? readPath(name) : undefined;
  const asPath = path?.server === undefined ? undefined : { ...wanted, ...path };
  return (
    (asPath && (findNear(tools, asPath) ?? findUnheard(bench, asPath))) ??
    findNear(tools, wanted) ??
    findUnheard(bench, wanted)
  );
}

function findNear(tools: readonly Entry[], wanted: Wanted): Address | undefined {
  const near = new Set(nearestNames(wanted.name ?? '', new Set(tools.map(({ item }) => item.shown)), 10));
  let best: { address: Address; cost: number } | undefined;
  for (const { address, item } of tools) {
    if (!near.has(item.shown) || item.shown.length > maxNameLength) continue;
    const cost = costOf(wanted, address, item.shown);
    if (cost < (best?.cost ?? tooFar)) best = { address: { ...address, name: item.shown }, cost };
  }
  return best?.address;
}

/** For a server whose list is not known, any name may be right. */
function findUnheard(bench: WorkbenchView, { toolbox, server, name = '' }: Wanted): Address | undefined {
  if (server === undefined) return undefined;
  for (const { name: other, placements } of bench.snapshot.toolboxes.values()) {
    for (const placement of placements.values()) {
      const [own = placement.server] = namesOf(placement);
      const fits = distance(toolbox, other) + distance(server, own) < 2;
      if (fits && bench.statusOf(placement.key).tools === undefined) return { toolbox: other, server: own, name };
    }
  }
  return undefined;
}

/** The toolbox that is meant: by its name, or by that of a server in it. */
export function findMeantToolbox({ snapshot }: WorkbenchView, input: JsonObject): string | undefined {
  const { toolboxes } = snapshot;
  const [only] = toolboxes.size === 1 ? toolboxes.keys() : [];
  const given = findText([input], [...toolboxKeys, 'name']);
  if (given === undefined || given.length > maxNameLength) return only;
  const [near] = nearestNames(given, toolboxes.keys(), 1);
  if (near !== undefined) return near;
  const parts = Object.values(readPath(given));
  const holds = ({ name, placements }: { name: string; placements: ReadonlyMap<string, unknown> }) =>
    parts.some((part) => part === name || placements.has(part));
  return [...toolboxes.values()].find(holds)?.name ?? only;
}

const maxNameLength = 150;
const tooFar = 7;

/** Another server costs more than another name on the same server. */
function costOf(wanted: Wanted, { toolbox, server }: Address, shown: string): number {
  return distance(wanted.name, shown) + 2 * distance(wanted.server, server) + distance(wanted.toolbox, toolbox);
}

/** 0 for the same name, 3 for another, and values between for similar names. */
function distance(given: string | undefined, found: string): number {
  if (given === found) return 0;
  if (given === undefined || given.toLowerCase() === found.toLowerCase()) return 0.5;
  return nearestNames(given, [found], 1).length > 0 ? 1 : 3;
}

/** `toolbox/server/tool` in any of its spellings. */
function readPath(text: string): { toolbox?: string; server?: string; name: string } {
  const separator = ['__', '/', ':', '.'].find((each) => text.includes(each));
  const [first = '', second = '', ...rest] = separator === undefined ? [text] : text.split(separator);
  if (rest.length > 0) return { toolbox: first, server: second, name: rest.join(separator) };
  return second === '' ? { name: text } : { server: first, name: second };
}

function findText(places: readonly JsonObject[], keys: readonly string[]): string | undefined {
  const found = places.flatMap((place) => keys.map((key) => findMember(place, key)));
  return found.find((value): value is string => typeof value === 'string' && value !== '' && !value.startsWith('{'));
}

function readArguments(places: readonly JsonObject[]): JsonObject | undefined {
  for (const value of places.toReversed().flatMap((place) => argumentKeys.map((key) => findMember(place, key)))) {
    const read = typeof value === 'string' ? parseObject(value) : value;
    if (isObject(read)) return read;
  }
  return undefined;
}

const understood = new Set([...toolboxKeys, ...serverKeys, ...nameKeys, ...argumentKeys]);

/** Members beside the address are most likely meant for the tool. */
function readRest(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([key]): boolean => !understood.has(key))) as Record<
    string,
    Json
  >;
}
