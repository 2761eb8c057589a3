/** The doors of the program that several clients can come in by at once. */
import { openHousehold } from '../daemon/household.ts';
import { programPath } from '../support/program.ts';
import { startOf } from '../support/sdk-clients.ts';
import type { OpenDoor } from './clients/full-client-matrix.ts';
import { startHttpProgram } from './http-program.ts';

export const openHttp: OpenDoor = async (config) => {
  const { url, token } = await startHttpProgram(config);
  return () => ({ url, token });
};

export const openAttach: OpenDoor = async (config) => {
  const { configPath, env, dir } = openHousehold({ config });
  return () => ({ start: startOf(process.execPath, [programPath, 'attach', '--config', configPath], env, dir) });
};
