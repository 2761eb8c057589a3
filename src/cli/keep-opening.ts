/** Keeps how the client of our pipe began and what it would be answered now, for the next start of the program. See decision 28. */
import type { Config, StdioService, Workbench } from '../index.ts';
import type { Io } from './io.ts';

export interface Beginning {
  /** In force when the client came. */
  readonly config: Config;
  readonly workbench: Workbench;
  readonly served: StdioService | undefined;
}

export async function keepOpening({ opening }: Pick<Io, 'opening'>, beginning: Beginning): Promise<void> {
  const { config, workbench, served } = beginning;
  if (opening === undefined || served === undefined || workbench.config !== config) return;
  const ground = workbench.ground();
  const ownTools = config.mode !== 'flat';
  // A start that does not know all servers waits for the others, and what a server says of itself is told to a client, too.
  if (ground === undefined || !(ownTools || ground.whole)) return;
  opening.keep(await served.opening(), { ...ground, variables: config.variables, ownTools });
}
