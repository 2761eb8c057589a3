// @module-tag large
import { prepareProgram } from '../../support/program.ts';
import { startOf } from '../../support/sdk-clients.ts';
import { describeFullClients } from './full-client-matrix.ts';

// Each has a program of its own; what they learn of servers they have in common.
describeFullClients('a pipe', async (config) => {
  const { command, args, env, dir } = prepareProgram({ config, args: ['serve'] });
  return () => ({ start: startOf(command, args, env, dir) });
});
