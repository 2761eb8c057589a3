/** The program that is measured: a copy of the build, so that a rebuild meanwhile changes nothing, with files of its own. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare, root } from '../scripts/prepare.mjs';

export const serverFile = fileURLToPath(new URL('./programs/tool-server.mjs', import.meta.url));
export const separator = '__';
export const toolbox = 'bench';

/** A folder with a copy of the build, for as long as this process runs. */
export function copyBuild() {
  prepare();
  const folder = mkdtempSync(join(tmpdir(), 'workbench-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  return folder;
}

export function useBuild(folder) {
  return {
    folder,
    /** A folder that nothing is remembered in yet; with `like`, nothing but the compiled code of the program that lies there. */
    newState(like) {
      const state = mkdtempSync(join(folder, 'state-'));
      if (like !== undefined) cpSync(join(like, 'code'), join(state, 'code'), { recursive: true });
      return state;
    },
    /** The arguments and the environment with which Node runs the Workbench in front of these servers; `http` may be a port. */
    plan({ front, servers, state, http = false, nodeFlags = [], settings = {} }) {
      const mcpServers = Object.fromEntries(servers.map((server, at) => [`s${at}`, server]));
      const config =
        front === 'meta' ? { toolboxes: { [toolbox]: { description: 'All of it.', mcpServers } } } : { mcpServers };
      const file = join(mkdtempSync(join(folder, 'config-')), 'workbench.json');
      writeFileSync(file, JSON.stringify({ ...config, separator, ...settings }));
      const serve = [
        'serve',
        '--config',
        file,
        '--mode',
        front,
        ...(http === false ? [] : [`--http=${http === true ? 0 : http}`, '--no-auth']),
      ];
      return {
        args: [...nodeFlags, programIn(folder), ...serve],
        env: { WORKBENCH_STATE: state ?? this.newState() },
      };
    },
  };
}

function programIn(folder) {
  return join(folder, 'dist/mcp-workbench.cjs');
}

/** So many servers of so many tools each, as the configuration names them. */
export function stdioServers(count, tools) {
  return Array.from({ length: count }, (_, at) => ({
    command: process.execPath,
    // The last argument only makes ten definitions ten servers.
    args: [serverFile, String(tools), 'stdio', String(at)],
  }));
}
