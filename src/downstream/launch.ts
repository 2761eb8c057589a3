/** From a server's definition to what `startProcess` needs: its environment built, its command found. */
import type { StdioTransport } from '../config/config.ts';
import { type ResolvedCommand, resolveCommand } from './command.ts';
import { systemLookup } from './command-lookup.ts';
import { buildEnvironment, type Environment, pickInherited, withVariable } from './environment.ts';
import type { Launch } from './process-tree.ts';

export async function resolveLaunch(
  transport: StdioTransport,
): Promise<Launch & { readonly from: ResolvedCommand['from'] }> {
  const { command, args, env, cwd } = transport;
  const { platform } = process;
  const environment = buildEnvironment({ declared: env, inherited: ownEnvironment(), platform });
  const { file, from, pathForChild } = await resolveCommand(command, systemLookup({ environment, cwd }));
  return {
    command: file,
    args,
    cwd,
    from,
    env: withVariable(environment, { name: 'PATH', value: pathForChild, platform }),
  };
}

let picked: Environment | undefined;

/** Servers often start together; the system is asked for each variable, so that is done once for all of them. */
function ownEnvironment(): Environment {
  if (picked === undefined) {
    picked = pickInherited(process.env, process.platform);
    setImmediate(() => {
      picked = undefined;
    });
  }
  return picked;
}
