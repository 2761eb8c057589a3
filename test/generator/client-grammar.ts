/** What a client may send: requests and notifications of either era, right and wrong. */
import type { Era } from '../flows/support.ts';
import { disturb, type Members, toText } from './mutate.ts';
import type { Random } from './random.ts';
import { textOfObject, textOfString, textOfValue } from './values.ts';

const toolNames = ['echo', 'use_tool', 'open_toolbox', 'good:echo', 'default__good__echo', '__proto__', ':', ''];
const methods = [
  ...['ping', 'tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'prompts/get'],
  ...['resources/read', 'completion/complete', 'logging/setLevel', 'server/discover', 'tools/call', 'tools/call'],
  ...['tasks/get', 'roots/list', 'sampling/createMessage', '__proto__', 'constructor', 'toString', ''],
];
const notifications = [
  'initialized',
  'cancelled',
  'cancelled',
  'progress',
  'roots/list_changed',
  'message',
  '__proto__',
];
const levels = ['"debug"', '"info"', '"emergency"', '"loud"'];

export interface ClientGrammar {
  /** The bytes of one message; a newline may be among them. */
  next(): Buffer;
}

export function createClientGrammar(random: Random, era: Era): ClientGrammar {
  let counted = 0;
  const unique = () => (random.oneIn(2) ? String(++counted) : `"r${++counted}"`);
  const id = () => (random.oneIn(15) ? textOfValue(random, 1) : unique());
  const recent = () => (random.oneIn(2) ? String(counted - random.int(20)) : `"r${counted - random.int(20)}"`);

  const meta = (): string => {
    const token: Members = random.oneIn(3) ? [['progressToken', random.oneIn(5) ? textOfValue(random) : unique()]] : [];
    if (era === 'legacy' && !random.oneIn(50)) return toText(token);
    const version = random.oneIn(30) ? textOfValue(random) : '"2026-07-28"';
    const level: Members = random.oneIn(10) ? [['io.modelcontextprotocol/logLevel', random.pick(levels)]] : [];
    const capabilities = random.oneIn(30) ? textOfValue(random) : '{}';
    return toText([
      ['io.modelcontextprotocol/protocolVersion', version],
      ['io.modelcontextprotocol/clientCapabilities', capabilities],
      ...level,
      ...token,
    ]);
  };
  const argumentsOf = (name: string): string => {
    if (random.oneIn(4)) return textOfValue(random);
    const address = `{"toolbox":${random.pick(['"default"', textOfString(random)])},"server":"good","name":"echo"}`;
    if (name === 'use_tool') return `{"tool":${address},"arguments":${textOfObject(random)}}`;
    if (name === 'open_toolbox') return `{"toolbox_name":"default","toolbox":${textOfString(random)}}`;
    return textOfObject(random);
  };
  const ownParams = (method: string): Members => {
    switch (method) {
      case 'tools/call': {
        const name = random.pick(toolNames);
        return [
          ['name', JSON.stringify(name)],
          ['arguments', argumentsOf(name)],
        ];
      }
      case 'prompts/get':
        return [['name', textOfString(random)]];
      case 'resources/read':
        return [['uri', random.oneIn(2) ? '"file:///a"' : textOfString(random)]];
      case 'logging/setLevel':
        return [['level', random.pick(levels)]];
      case 'completion/complete':
        return [
          ['ref', random.oneIn(2) ? '{"type":"ref/prompt","name":"a"}' : textOfValue(random)],
          ['argument', random.oneIn(2) ? '{"name":"a","value":""}' : textOfValue(random)],
        ];
      case 'initialize':
        return [
          ['protocolVersion', random.pick(['"2025-11-25"', '"2025-03-26"', '"2024-11-05"', textOfValue(random)])],
          ['capabilities', random.oneIn(4) ? textOfValue(random) : '{}'],
          ['clientInfo', random.oneIn(4) ? textOfValue(random) : '{"name":"g","version":"1"}'],
        ];
      case 'subscriptions/listen':
        return [['notifications', random.oneIn(3) ? textOfValue(random) : '{"toolsListChanged":true}']];
      default:
        return random.oneIn(5) ? [['cursor', textOfValue(random, 1)]] : [];
    }
  };
  const request = (): Members => {
    const rare = random.oneIn(300) ? random.pick(['initialize', 'subscriptions/listen']) : undefined;
    const method = rare ?? (random.oneIn(40) ? undefined : random.pick(methods));
    const params = random.oneIn(25)
      ? textOfValue(random)
      : toText([
          ...ownParams(method ?? ''),
          ...(random.oneIn(4) && era === 'legacy' ? [] : [['_meta', meta()] as const]),
        ]);
    return [
      ['jsonrpc', random.oneIn(60) ? textOfValue(random, 0) : '"2.0"'],
      ['id', id()],
      ['method', method === undefined ? textOfString(random) : JSON.stringify(method)],
      ['params', params],
    ];
  };
  const notification = (): Members => {
    const method = random.pick(notifications);
    const params =
      method === 'cancelled' && !random.oneIn(4)
        ? `{"requestId":${random.oneIn(3) ? textOfValue(random, 1) : recent()}}`
        : textOfObject(random);
    return [
      ['jsonrpc', '"2.0"'],
      ['method', JSON.stringify(`notifications/${method}`)],
      ['params', params],
    ];
  };
  const answer = (): Members => [
    ['jsonrpc', '"2.0"'],
    ['id', id()],
    [random.oneIn(2) ? 'result' : 'error', textOfValue(random)],
  ];

  return {
    next() {
      const kind = random.int(12);
      return disturb(random, kind === 0 ? answer() : kind < 3 ? notification() : request());
    },
  };
}
