/**
 * The file of Claude Code (`~/.claude.json`) has servers for all projects under `mcpServers`, and servers of single projects
 * under `projects`, by the path of the project. The folder that the Workbench is started in selects the project.
 */
import { toPrintable } from '../../base/text/printable.ts';
import { keyPlace, type Member, type Node, toMembers } from '../document/json-node.ts';
import type { Report } from '../document/report.ts';
import { pathsOf } from '../source/resolve-path.ts';
import type { ServerEntry } from './read-server.ts';
import { type NamedServer, readServers } from './read-servers.ts';
import type { Reading } from './read-text.ts';

interface ProjectPart {
  /** `mcpServers` of the project. */
  readonly servers: Member | undefined;
  /** Names of servers that are switched off in the project. */
  readonly disabled: ReadonlySet<string>;
}

/** Only Claude Code has absolute paths as keys there. */
export function findProjects(root: Node): Member | undefined {
  const projects = toMembers(root, '').find(({ key }) => key === 'projects');
  const paths = projects === undefined ? [] : toMembers(projects.node, projects.path);
  return paths.length > 0 && paths.every(({ key }) => /^(?:\/|[A-Za-z]:[\\/])/.test(key)) ? projects : undefined;
}

/** Servers of the project win over those for all projects, as in Claude Code. */
export function withProject(
  shared: readonly NamedServer[],
  projects: Member,
  { cwd, flatNames, reading }: { cwd: string | undefined; flatNames: boolean; reading: Reading },
): NamedServer[] {
  const { platform } = reading.ground;
  const told = reading.variables.find('CLAUDE_PROJECT_DIR');
  const folder = told !== undefined && pathsOf(platform).isAbsolute(told) ? told : (cwd ?? process.cwd());
  const { servers, disabled } = readProject(projects, { folder, platform, report: reading.report });
  const own = readServers(servers, reading, { flatNames });
  const names = new Set(own.map(({ name }) => name));
  return [...shared.filter(({ name }) => !names.has(name)), ...own].map((server) =>
    'entry' in server.content && disabled.has(server.name)
      ? { ...server, content: { entry: withDisabled(server.content.entry) } }
      : server,
  );
}

function withDisabled(entry: ServerEntry): ServerEntry {
  return { ...entry, definition: { ...entry.definition, disabled: true } };
}

function readProject(
  projects: Member,
  {
    folder,
    platform,
    report,
  }: { readonly folder: string; readonly platform: NodeJS.Platform; readonly report: Report },
): ProjectPart {
  const all = toMembers(projects.node, projects.path);
  const own = findNearest(all, folder, platform);
  const parts = own === undefined ? [] : toMembers(own.node, own.path);
  const servers = findServers(parts);
  const shown = toPrintable(own?.key ?? folder, 200);
  if (servers !== undefined)
    report.note('WB1402', keyPlace(servers), `the servers of the project ${shown} (Claude Code) were read too`);
  const others = all.filter((member) => member !== own && findServers(toMembers(member.node, member.path)));
  if (servers === undefined && others.length > 0) {
    const message = `"projects" (Claude Code) has servers of ${others.length} other projects; they were not read, because the Workbench runs in ${shown}`;
    const fix = 'Start the Workbench in the folder of a project, or set CLAUDE_PROJECT_DIR to that folder.';
    report.note('WB1402', keyPlace(projects), message, fix);
  }
  const off = parts.find(({ key }) => key === 'disabledMcpServers')?.node.children ?? [];
  return { servers, disabled: new Set(off.filter(({ type }) => type === 'string').map(({ value }) => String(value))) };
}

/** A non-empty object: Claude Code writes an empty one into every project. */
function findServers(parts: readonly Member[]): Member | undefined {
  return parts.find(({ key, node }) => key === 'mcpServers' && node.type === 'object' && node.children?.length);
}

/** The project whose folder this is, or the innermost one that contains it. */
function findNearest(all: readonly Member[], folder: string, platform: NodeJS.Platform): Member | undefined {
  const { dirname } = pathsOf(platform);
  const plain = (path: string) => {
    const slashes = platform === 'win32' ? path.replaceAll('\\', '/').toLowerCase() : path;
    return slashes.length > 1 ? slashes.replace(/\/$/, '') : slashes;
  };
  const byPath = new Map(all.map((member) => [plain(member.key), member]));
  for (let at = folder; ; at = dirname(at)) {
    const found = byPath.get(plain(at));
    if (found !== undefined || dirname(at) === at) return found;
  }
}
