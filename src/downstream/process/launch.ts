/** Turns a server's definition into what `startProcess` needs: builds the environment and finds the command. */
import type { Step } from '../../base/call/trail.ts';
import { withTrail } from '../../config/file/find-trail.ts';
import type { StdioTransport } from '../../config/model/config.ts';
import { type ResolvedCommand, resolveCommand } from './command.ts';
import { systemLookup } from './command-lookup.ts';
import { buildEnvironment, pickInherited, type ServerEnvironment, withVariable } from './environment.ts';
import type { Launch } from './process-tree.ts';

export async function resolveLaunch(
  transport: StdioTransport,
  /** The Workbenches that lead to the server, this one included. */
  trail: readonly Step[] = [],
): Promise<Launch & { readonly from: ResolvedCommand['from'] }> {
  const { command, args, env, cwd } = transport;
  const { platform } = process;
  const environment = buildEnvironment({ declared: env, inherited: ownEnvironment(), platform });
  const { file, from, pathForChild } = await resolveCommand(command, systemLookup({ environment, cwd }));
  const found = withVariable(environment, { name: 'PATH', value: pathForChild, platform });
  const told = trail.length === 0 ? found : withTrail(found, trail, { platform, node: process.execPath });
  return { command: file, args, cwd, from, env: told };
}

let picked: ServerEnvironment | undefined;

/** Servers often start together, and reading a variable is a system call, so the environment is read once for all of them. */
function ownEnvironment(): ServerEnvironment {
  if (picked === undefined) {
    picked = pickInherited(process.env, process.platform);
    setImmediate(() => {
      picked = undefined;
    });
  }
  return picked;
}
