/**
 * Parses a text into a configuration that later code need not check again. All mistakes are reported at once, each with its
 * place, or left out where the rest can be used; oddities become notes.
 */

import { homedir } from 'node:os';
import { WorkbenchError } from '../../base/errors/errors.ts';
import { defined } from '../../base/json/defined.ts';
import { modeFacts } from '../../base/mode.ts';
import { ConfigError } from '../document/config-error.ts';
import { parseDocument, withoutByteOrderMark } from '../document/document.ts';
import { keyPlace, type Node, placeOf, toMembers } from '../document/json-node.ts';
import { createReport } from '../document/report.ts';
import { smallestFile } from '../document/smallest-file.ts';
import type { Config, Mode } from '../model/config.ts';
import { createDefinitions } from '../model/definitions.ts';
import { buildLabels, findServerNames } from '../model/labels.ts';
import type { LeftOut } from '../model/left-out.ts';
import { findCosts } from '../model/mistake-cost.ts';
import { type ConfigFile, configShape } from '../model/schema.ts';
import { checkSeparator } from '../model/separator.ts';
import { withoutModes } from '../model/without-modes.ts';
import { maskAllValues, maskSecrets } from '../secrets/mask.ts';
import { createSecrets } from '../secrets/secrets.ts';
import { readConfigBytes } from '../source/read-config-bytes.ts';
import { pathsOf, projectFolder } from '../source/resolve-path.ts';
import { findVariable } from '../values/find-variable.ts';
import { readValueFile } from '../values/read-value-file.ts';
import { findProjects, withProject } from './claude-projects.ts';
import { foreignShapes } from './foreign.ts';
import { type Fields, openObject, toKind } from './read.ts';
import { readAuth } from './read-auth.ts';
import { readClients } from './read-clients.ts';
import { readHttp } from './read-http.ts';
import { readLimits } from './read-limits.ts';
import { readResults } from './read-results.ts';
import { readSearch } from './read-search.ts';
import { type NamedServer, readServers, withProblems } from './read-servers.ts';
import type { Reading } from './read-text.ts';
import { readToolboxes } from './read-toolboxes.ts';

export interface ParseOptions {
  /** Absolute path of the file, for messages and for `Config.path`. */
  readonly path?: string | undefined;
  /** Folder of the file; relative paths start from it. */
  readonly dir: string;
  /** Folder that the program was started in: selects the project, in a file with servers of several projects. */
  readonly cwd?: string | undefined;
  /** Wins over the file. */
  readonly mode?: Mode | undefined;
  /** Wins over the file. */
  readonly separator?: string | undefined;
  /** Returns the parts without mistakes, with the rest in `leftOut`, instead of throwing; unless nothing can be used. */
  readonly leaveOut?: boolean | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reads an env file; throws when there is none. */
  readonly readText?: ((path: string) => string) | undefined;
  readonly platform?: NodeJS.Platform | undefined;
  readonly home?: string | undefined;
}

type ConfigFields = Fields<(typeof configShape)['members']>;

/** Throws a ConfigError with all mistakes of the text, unless they may be left out. */
export function parseConfig(text: string, options: ParseOptions): Config {
  return parse(withoutByteOrderMark(text), options, { file: options.path ?? 'configuration', lines: true });
}

/** The same for a configuration that is already a value: problems name the key, without lines. */
export function parseConfigValue(value: ConfigFile, options: ParseOptions): Config {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new WorkbenchError('WB1403', 'the configuration given as a value cannot be written as JSON', { cause });
  }
  return parse(text ?? 'null', options, { file: options.path ?? 'configuration', lines: false });
}

function parse(
  text: string,
  options: ParseOptions,
  source: { readonly file: string; readonly lines: boolean },
): Config {
  const wrong = options.separator === undefined ? undefined : checkSeparator(options.separator);
  if (wrong !== undefined) throw new WorkbenchError('WB1409', wrong);
  const reading = createReading(text, options, source);
  const fail = (shown: (text: string) => string) =>
    new ConfigError(reading.report.errors(), { file: source.file, text: source.lines ? shown(text) : undefined });
  const root = parseDocument(text, reading.report);
  if (root === undefined) throw fail(maskAllValues);
  const read = readConfig(root, options, reading);
  if (read !== undefined && reading.report.errors().length === 0) return read.config;
  const error = fail(maskSecrets);
  if (read?.leftOut === undefined || options.leaveOut !== true) throw error;
  return { ...read.config, leftOut: { ...read.leftOut, error } };
}

function createReading(text: string, options: ParseOptions, source: { readonly lines: boolean }): Reading {
  const platform = options.platform ?? process.platform;
  const home = options.home ?? homedir();
  const folder = projectFolder(options.dir, platform);
  const reading: Reading = {
    report: createReport(text, source),
    text,
    asked: new Set(),
    variables: {
      find(name) {
        reading.asked.add(name);
        return findVariable(options.env, name, platform);
      },
      readFile: (path) => readValueFile(path, reading),
      workspaceFolder: folder,
      userHome: home,
      pathSeparator: pathsOf(platform).sep,
    },
    secrets: createSecrets(),
    ground: { platform, home, dir: folder },
    readFile: options.readText ?? ((path) => readConfigBytes(path, options).toString('utf8')),
    unused: false,
  };
  return reading;
}

interface ReadConfig {
  readonly config: Config;
  /** What would be left out; undefined when the file cannot be used without it. */
  readonly leftOut: Omit<LeftOut, 'error'> | undefined;
}

function readConfig(root: Node, options: ParseOptions, reading: Reading): ReadConfig | undefined {
  const { report } = reading;
  if (root.type !== 'object') {
    report.error('WB1405', placeOf(root, ''), `a configuration is an object, not ${toKind(root)}`, pasteThis);
    return undefined;
  }
  const projects = findProjects(root);
  const fields = openObject(configShape, root, '', reading, {
    what: 'the configuration',
    ignored: ignoredAtTop,
    // The file of Claude Code holds a hundred other keys, none of them about servers.
    ...(projects === undefined
      ? {}
      : { members: toMembers(root, '').filter(({ key }) => Object.hasOwn(configShape.members, key)) }),
  });
  noteVsCode(fields, reading);
  fields.read('$schema', { ...reading, unused: true });
  const toolboxes = fields.member('toolboxes');
  const stated = fields.read('mode');
  const mode = options.mode ?? stated ?? (hasToolboxes(fields) ? 'meta' : 'flat');
  const facts = modeFacts[mode];
  const shared = joinServers(
    (['mcpServers', 'servers'] as const).flatMap((key) =>
      readServers(fields.member(key), reading, { flatNames: facts.publicNames === 'server' }),
    ),
    reading,
  );
  const topLevel =
    projects === undefined
      ? shared
      : withProject(shared, projects, { cwd: options.cwd, flatNames: facts.publicNames === 'server', reading });
  const definitions = createDefinitions();
  const labels =
    facts.publicNames === 'server' ? new Map<string, string>() : buildLabels(findServerNames(root, topLevel));
  const placed = readToolboxes({ member: toolboxes, topLevel, definitions, mode, labels }, reading);
  const clients = fields.member('clients');
  const settings = {
    separator: options.separator ?? readSeparator(fields, reading),
    maxNameLength: fields.read('maxNameLength'),
    safeNames: fields.read('safeNames'),
    ...defined({ schemas: fields.read('schemas'), pinned: fields.read('pinned') }),
    clients: clients === undefined ? new Map() : withoutModes(readClients(clients, reading), options.mode),
    startWaitMs: fields.read('startWaitMs'),
    keepCatalog: readKeepCatalog(fields, reading),
    pageSize: fields.read('pageSize'),
    http: readHttp(fields.member('http'), reading),
    limits: readLimits(fields.member('limits'), reading),
  };
  const auth = readAuth(fields.member('auth'), reading);
  const results = readResults(fields.member('results'), reading);
  const searchMember = fields.member('search');
  const search = searchMember === undefined ? undefined : readSearch(searchMember, reading);
  // Checked last: any other mistake may be the reason why no server is left.
  if (definitions.servers.size === 0 && report.errors().length === 0) reportNoServer(root, fields, reading);
  const config: Config = {
    path: options.path,
    mode,
    ...settings,
    ...defined({ auth, results, search }),
    servers: definitions.servers,
    toolboxes: placed.toolboxes,
    ...(toolboxes?.node.children?.length ? {} : { plain: true }),
    secrets: reading.secrets.list(),
    variables: [...reading.asked],
    notes: report.notes(),
  };
  const costs = findCosts(root, fields.misspelt, report);
  // Where a token opens single toolboxes, a server in the wrong one is open to the wrong people.
  const opensWrong = auth?.allToolboxes === false && (placed.unsure || fields.misspelt.has('toolboxes'));
  const closesHttp = costs.has('http') || opensWrong;
  const isUsable = !costs.has('start') && definitions.servers.size + definitions.leftOut.size > 0;
  return {
    config,
    leftOut: isUsable ? { servers: definitions.leftOut, toolboxes: placed.leftOut, closesHttp } : undefined,
  };
}

const pasteThis = `The smallest file that works:\n${smallestFile}`;

const ignoredAtTop: ReadonlyMap<string, string> = new Map<string, string>([
  ...[...foreignShapes.keys()].map((key) => [key, 'Servers are read from "mcpServers" and "toolboxes".'] as const),
  ['model', 'The Workbench uses no model.'],
]);

function noteVsCode(fields: ConfigFields, { report }: Reading): void {
  const [servers, inputs] = [fields.member('servers'), fields.member('inputs')];
  if (servers !== undefined)
    report.note('WB1402', keyPlace(servers), 'the file uses "servers" (VS Code); it was read as "mcpServers"');
  if (inputs !== undefined) {
    const message = 'the key "inputs" (VS Code) is ignored: the Workbench cannot ask its user';
    report.note('WB1402', keyPlace(inputs), message, 'Write ${NAME} in place of an input, and set the variable.');
  }
}

/** A file with toolboxes is shown with toolboxes, even when none of them can be used. */
function hasToolboxes(fields: ConfigFields): boolean {
  return fields.misspelt.has('toolboxes') || (fields.member('toolboxes')?.node.children?.length ?? 0) > 0;
}

/** When a server is defined in two places, it is not clear which one is meant. */
function joinServers(servers: readonly NamedServer[], { report }: Reading): NamedServer[] {
  const joined = new Map<string, NamedServer>();
  for (const server of servers) {
    const other = joined.get(server.name);
    if (other === undefined) joined.set(server.name, server);
    else {
      const message = `${other.place.path} and ${server.place.path} are the same server twice`;
      joined.set(server.name, withProblems(other, [report.error('WB1405', server.place, message)]));
    }
  }
  return [...joined.values()];
}

/** A person who wrote this key most likely wanted nothing to be kept. */
function readKeepCatalog(fields: ConfigFields, { report }: Reading): boolean {
  const value = fields.read('keepCatalog');
  const member = fields.member('keepCatalog');
  const isWrong = fields.misspelt.has('keepCatalog') || (member !== undefined && report.errorsIn(member).length > 0);
  return value && !isWrong;
}

function readSeparator(fields: ConfigFields, { report }: Reading): string {
  const place = fields.at('separator');
  const separator = fields.read('separator');
  const wrong = checkSeparator(separator);
  if (wrong !== undefined) report.error('WB1409', place, wrong);
  return separator;
}

/** An empty `mcpServers` is a beginning; a file that never mentions servers is most likely the wrong file. */
function reportNoServer(root: Node, fields: ConfigFields, { report }: Reading): void {
  const foreign = toMembers(root, '').find(({ key }) => foreignShapes.has(key));
  const own = (['mcpServers', 'servers', 'toolboxes'] as const).find((key) => fields.member(key) !== undefined);
  if (foreign !== undefined && own === undefined) {
    const message = `"${foreign.key}" is where ${foreignShapes.get(foreign.key)} keeps its servers; the Workbench reads "mcpServers"`;
    report.error('WB1405', keyPlace(foreign), message, `Rename "${foreign.key}" to "mcpServers".`);
    return;
  }
  const boxes = fields.member('toolboxes');
  const inBoxes = boxes === undefined ? [] : toMembers(boxes.node, '').flatMap(({ node }) => toMembers(node, ''));
  const empty = own === 'mcpServers' || own === 'servers' || inBoxes.some(({ key }) => key === 'mcpServers');
  const place = { path: '', offset: root.offset, length: 1 };
  if (empty) report.note('WB1405', place, 'the configuration has no servers yet', pasteThis);
  else report.error('WB1405', place, 'the configuration has no servers', pasteThis);
}
