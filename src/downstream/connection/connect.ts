/**
 * Reaches a server and shakes hands with it. A server that dies of the era probe is started once more without it and
 * remembered, so that old servers work and pay only once.
 */
import { WorkbenchError } from '../../base/errors/errors.ts';
import type { Era } from '../era/edge.ts';
import type { Transport } from '../rpc/transport.ts';
import type { Attempt, Connected, ConnectionUse } from './attempt.ts';
import { connectStdio } from './connect-stdio.ts';
import type { ServerContext } from './server-context.ts';

export function connect(context: ServerContext, use: ConnectionUse): Attempt {
  const { definition, quirks, log, chain } = context;
  let carrier: Transport | undefined;
  let stopped = false;
  const onCarrier = (value: Transport) => {
    carrier = value;
    if (stopped) void value.stop();
  };
  const begin = async (expected: Era | undefined): Promise<Connected> => {
    const { name, transport, disabled } = definition;
    if (disabled) throw new WorkbenchError('WB1016', `Server '${name}' is disabled in the configuration.`);
    const refusal = chain?.findRefusal(definition);
    if (refusal !== undefined) throw refusal;
    const once = { context, use, expected, onCarrier };
    if (transport.kind === 'stdio') return connectStdio(transport, once);
    // Loaded when the first such server is used: many configurations have none.
    const { connectHttp } = await import('./connect-http.ts');
    return connectHttp(transport, once);
  };

  const expected = quirks.find(definition);
  const connected = begin(expected).catch(async (error: unknown) => {
    const diedOfProbe =
      expected === undefined && !stopped && error instanceof WorkbenchError && error.code === 'WB1004';
    if (!diedOfProbe) throw error;
    log.info('server ended at the era probe, starting it again without', {});
    const second = await begin('legacy');
    quirks.rememberLegacy(definition);
    return second;
  });
  return {
    connected,
    declared: use.declared,
    async stop() {
      stopped = true;
      await carrier?.stop();
    },
    stderrTail: () => carrier?.stderrTail() ?? [],
  };
}
