/** Connects to a server that is reached by URL: finds out during the handshake which of the three transports it speaks. */

import { memoize } from '../../base/async/memoize.ts';
import { WorkbenchError } from '../../base/errors/errors.ts';
import type { HttpTransport, ServerDefinition } from '../../config/model/config.ts';
import { createHttpClient } from '../http/client.ts';
import { createEndpoint } from '../http/endpoint.ts';
import { lostAnswer } from '../http/failure.ts';
import { failRequest, type HttpChannel, type HttpChannelContext } from '../http/http-channel.ts';
import { LegacyChannel } from '../http/legacy-channel.ts';
import { createModernChannel } from '../http/modern-channel.ts';
import { openSseChannel } from '../http/sse-channel.ts';
import { createToolHeaders } from '../http/tool-headers.ts';
import { toIdleLoss } from '../process/failure.ts';
import { createReadThrottle } from '../rpc/read-throttle.ts';
import { RpcPeer } from '../rpc/rpc-peer.ts';
import type { Outgoing, Transport } from '../rpc/transport.ts';
import type { Connected, ConnectTry } from './attempt.ts';
import { Connection } from './connection.ts';
import { beforeHandshake, shakeHands } from './handshake.ts';

/** Some servers do not tell sessions apart when a request is cancelled, so no two requests to one server have the same id. */
const counterOf = memoize((_definition: ServerDefinition) => ({ last: 0 }));

export async function connectHttp(transport: HttpTransport, once: ConnectTry): Promise<Connected> {
  const { context, use, onCarrier } = once;
  const { definition, identity, clock, limits, log, quirks, credentials } = context;
  const { declared, company, events } = use;
  const server = definition.name;
  const client = createHttpClient({ server, env: process.env });
  const endpoint = createEndpoint({ server, transport, identity, client, credentials });
  const tools = createToolHeaders();
  const pace = createReadThrottle(clock);
  let connection: Connection | undefined;
  let running = true;

  const ids = counterOf(definition);
  const peer = new RpcPeer(
    {
      server,
      maxValues: limits.messageValues,
      newId: () => ++ids.last,
      send: (message) => wires.send(message),
      takeBack: (id) => wires.takeBack(id),
      onNoise: (line) => log.debug('text that is not a message', { line: line.slice(0, 200) }),
      onUnasked: pace.heard,
    },
    beforeHandshake,
  );
  const shared: HttpChannelContext = {
    endpoint,
    peer,
    clock,
    pace,
    maxAnswerBytes: limits.messageBytes,
    log,
    onLost(failure) {
      if (!running) return;
      running = false;
      const isIdle = connection?.calling === false && failure.code === 'WB1010';
      peer.fail(connection === undefined ? failure : lostAnswer(server));
      if (connection !== undefined)
        events.onLost(isIdle ? toIdleLoss(`The connection to server '${server}' was lost.`) : failure);
    },
    onListAnnounced: () => {
      if (running && connection !== undefined) events.onListAnnounced();
    },
  };
  const wires = createWires(transport.variant, shared, () =>
    createModernChannel(shared, { tools, relist: async () => void (await connection?.listing(['tools'])) }),
  );

  let stopping: Promise<void> | undefined;
  const end = async () => {
    running = false;
    peer.fail(new WorkbenchError('WB1010', `The connection to server '${server}' was closed.`));
    await wires.close();
    client.close();
  };
  const carrier: Transport = {
    get running() {
      return running;
    },
    stderrTail: () => [],
    stop() {
      stopping ??= end();
      return stopping;
    },
  };
  onCarrier(carrier);
  try {
    const expected = transport.variant === 'sse' ? 'legacy' : once.expected;
    const edge = await shakeHands(peer, context, { declared, expected, silence: 'means nothing' });
    if (edge.era === 'legacy' && expected === undefined) quirks.rememberLegacy(definition);
    // Only the stateless era has headers for arguments.
    const headers = edge.era === 'modern' ? { reviseListing: tools.learn } : {};
    connection = new Connection(context, { edge, peer, company, events, ...headers });
    peer.attach(connection);
    return { connection, carrier };
  } catch (error) {
    await carrier.stop();
    throw error;
  }
}

/** Opens the wire of the era that a message belongs to, and stays with the wire that was opened last. */
function createWires(
  variant: HttpTransport['variant'],
  context: HttpChannelContext,
  modern: () => HttpChannel,
): HttpChannel {
  const all: HttpChannel[] = [];
  let current: HttpChannel | undefined;
  let closed = false;
  const use = (wire: HttpChannel) => {
    all.push(wire);
    current = wire;
    if (closed) void wire.close();
    return wire;
  };
  const sendBySse = async (message: Outgoing) => use(await openSseChannel(context)).send(message);
  const fallBack = (message: Outgoing) =>
    sendBySse(message).then(
      () => true,
      () => false,
    );
  return {
    send(message) {
      if (message.method === 'server/discover') use(modern());
      else if (message.method === 'initialize') {
        if (variant === 'sse') {
          sendBySse(message).catch((error: unknown) => failRequest(context, message, error));
          return;
        }
        use(new LegacyChannel(context, variant === 'auto' ? { fallBack } : {}));
      }
      current?.send(message);
    },
    takeBack: (id) => current?.takeBack(id) ?? true,
    async close() {
      closed = true;
      await Promise.all(all.map((wire) => wire.close()));
    },
  };
}
