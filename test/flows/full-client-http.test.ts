import { describeFullClients } from './full-client-matrix.ts';
import { startHttpProgram } from './http-program.ts';

describeFullClients('an HTTP service', async (config) => {
  const { url, token } = await startHttpProgram(config);
  return () => ({ url, token });
});
