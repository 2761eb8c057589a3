/** The built program serving HTTP, once it says where it listens. */
import { eventually } from '../support/eventually.ts';
import { type ProgramOptions, startProgram } from '../support/program.ts';
import type { RawClient } from '../support/raw-client.ts';
import type { HttpPlace } from './clients/transport-client.ts';

export interface HttpProgram extends HttpPlace {
  readonly program: RawClient;
  readonly origin: string;
}

export const token = 'a-token-for-flows';

export async function startHttpProgram(
  config: unknown,
  { args = [], port = 0, env }: { args?: readonly string[]; port?: number; env?: ProgramOptions['env'] } = {},
): Promise<HttpProgram> {
  const program = startProgram({
    config,
    args: ['serve', `--http=${port}`, '--token', token, ...args],
    ...(env && { env }),
  });
  const url = await eventually(() => {
    const [, found] = /listens at (http:\S+)/.exec(program.stderr) ?? [];
    if (found === undefined) throw new Error(`does not listen: ${program.stderr}`);
    return found;
  }, 20_000);
  return { program, url, token, origin: new URL(url).origin };
}
