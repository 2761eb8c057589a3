import { openHousehold } from '../daemon/household.ts';
import { programPath } from '../support/program.ts';
import { startOf } from '../support/sdk-clients.ts';
import { describeFullClients } from './full-client-matrix.ts';

describeFullClients('a shared daemon', async (config) => {
  const { configPath, env, dir } = openHousehold({ config });
  return () => ({ start: startOf(process.execPath, [programPath, 'attach', '--config', configPath], env, dir) });
});
