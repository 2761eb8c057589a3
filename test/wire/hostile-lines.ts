/** What a client must never send and some will: each line with the one answer it gets. */

export interface HostileLine {
  readonly title: string;
  /** Made when it is needed: some are large. */
  line(): string | Buffer;
  /** The id of the one answer; null for an error that can name none; undefined when there must be no answer at all. */
  readonly id: string | number | null | undefined;
}

const deep = (levels = 100_000) => '['.repeat(levels) + ']'.repeat(levels);
const deepObject = (levels = 100_000) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
/** No text can be made of it. */
const textless = '{"toString":1,"valueOf":1}';
const megabytes = (count: number) => 'x'.repeat(count * 1024 * 1024);
/** A request under the id "q" whose other members are the given text. */
const asks = (members: string) => `{"jsonrpc":"2.0","id":"q",${members}}`;
const asksFor = (method: string, params: string) => asks(`"method":"${method}","params":${params}`);
const calls = (name: string, args: string) => asksFor('tools/call', `{"name":${name},"arguments":${args}}`);
const pingUnder = (id: string) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
const tells = (method: string, params: string) => `{"jsonrpc":"2.0","method":"${method}","params":${params}}`;
const modernPing = (version: string) =>
  asksFor('tools/list', `{"_meta":{"io.modelcontextprotocol/protocolVersion":${version}}}`);

function row(id: HostileLine['id'], title: string, line: string | Buffer | (() => string | Buffer)): HostileLine {
  return { id, title, line: typeof line === 'function' ? line : () => line };
}
const unreadable = (title: string, line: Parameters<typeof row>[2]) => row(null, title, line);
const silent = (title: string, line: Parameters<typeof row>[2]) => row(undefined, title, line);
const answered = (title: string, line: Parameters<typeof row>[2]) => row('q', title, line);

const texts = [
  unreadable('a plain text', 'hello'),
  unreadable('half an object', '{"jsonrpc":"2.0","id":1'),
  unreadable('a trailing comma', '{"jsonrpc":"2.0","id":1,"method":"ping",}'),
  unreadable('a value that JSON does not have', '{"jsonrpc":"2.0","id":NaN,"method":"ping"}'),
  unreadable('a NUL byte alone', '\0'),
  unreadable('a NUL byte inside a text', asks('"method":"pi\0ng"')),
  unreadable('two messages on one line', `${pingUnder('"q"')}${pingUnder('"q"')}`),
  unreadable('words behind a message', `${pingUnder('"q"')} and more`),
  unreadable('a byte order mark', `\ufeff${pingUnder('"q"')}`),
  unreadable('a line in UTF-16', Buffer.from(pingUnder('"q"'), 'utf16le')),
  unreadable('spaces', '     '),
  silent('an empty line', ''),
  silent('a carriage return', '\r'),
  answered('a carriage return at the end', `${pingUnder('"q"')}\r`),
  answered('spaces around a message', ` \t${pingUnder('"q"')} `),
  answered('a truncated character', Buffer.from(asks('"method":"\xf0\x9f"'), 'latin1')),
  answered('an overlong character', Buffer.from(asks('"method":"\xc0\xaf"'), 'latin1')),
  answered('a lone surrogate', asks('"method":"\\ud800"')),
  answered('a key written in escapes', asks('"\\u006dethod":"ping"')),
  answered('a key in another case', asks('"Method":"ping"')),
];

const shapes = [
  unreadable('null', 'null'),
  unreadable('a number', '1'),
  unreadable('a text', '"ping"'),
  unreadable('an empty object', '{}'),
  unreadable('an empty list', '[]'),
  unreadable('a list of lists', '[[]]'),
  unreadable('a batch', `[${pingUnder('1')},${pingUnder('2')}]`),
  unreadable('a list 100,000 levels deep', () => deep()),
  unreadable('an object 100,000 levels deep', () => deepObject()),
  unreadable('a request in the prototype', `{"__proto__":${pingUnder('1')}}`),
  answered('a request that is an answer too', asks('"method":"ping","result":{},"error":{}')),
  answered('two methods, of which the last counts', asks('"method":1,"method":"ping"')),
  row('last', 'two ids, of which the last counts', '{"jsonrpc":"2.0","id":"first","method":"ping","id":"last"}'),
];

const ids = [
  ...['null', 'true', '{}', '[]', '1.5', '1e400', '{"__proto__":1}', textless].map((id) =>
    unreadable(`the id ${id}`, pingUnder(id)),
  ),
  unreadable('an id 100,000 levels deep', () => pingUnder(deep())),
  unreadable('an id that no double can hold', pingUnder('9007199254740993')),
  row(0, 'the id 0', pingUnder('0')),
  row(-7, 'the id -7', pingUnder('-7')),
  row(12, 'the id 12.0', pingUnder('12.0')),
  ...['', '0', '__proto__', 'constructor', '\ud800', '\0', '"\\'].map((id) =>
    row(id, `the id ${JSON.stringify(id)}`, pingUnder(JSON.stringify(id))),
  ),
  row(megabytes(1), 'an id of 1 MB', () => pingUnder(`"${megabytes(1)}"`)),
];

const methods = [
  ...['1', 'null', '[]', '{}', '""', '"__proto__"', '"constructor"', '"tools/call\\u0000"', textless].map((method) =>
    answered(`the method ${method}`, asks(`"method":${method}`)),
  ),
  answered('a method 100,000 levels deep', () => asks(`"method":${deep()}`)),
  answered('a method of 1 MB', () => asksFor(megabytes(1), '{}')),
];

const parameters = [
  ...['null', '1', '"x"', '[]', 'true', '{"__proto__":{"name":"good:echo"}}', '{"_meta":null}', '{"_meta":[]}'].map(
    (params) => answered(`the params ${params}`, asksFor('tools/call', params)),
  ),
  answered('params 100,000 levels deep', () => asksFor('ping', `{"x":${deep()}}`)),
  answered('params of 10 MB', () => asksFor('ping', `{"x":"${megabytes(10)}"}`)),
  answered('100,000 params', () =>
    asksFor(
      'ping',
      JSON.stringify(
        Array(1e5)
          .fill(0)
          .map((_, key) => [key, key]),
      ),
    ),
  ),
  answered('metadata 100,000 levels deep', () => asksFor('tools/list', `{"_meta":{"x":${deep()}}}`)),
  answered('metadata in the prototype', asksFor('tools/list', '{"_meta":{"__proto__":{"progressToken":1}}}')),
  ...['null', '1', textless, deep(), '"1999-01-01"', '"2026-07-28"'].map((version) =>
    answered(`the version ${version.slice(0, 30)} in a request`, modernPing(version)),
  ),
  answered('server/discover without metadata', asksFor('server/discover', '{}')),
  ...['1', 'null', textless, deep(), '""', '"__proto__"'].map((cursor) =>
    answered(`the cursor ${cursor.slice(0, 30)}`, asksFor('tools/list', `{"cursor":${cursor}}`)),
  ),
  ...['1', textless, deep(), '"loud"', '"__proto__"'].map((level) =>
    answered(`the log level ${level.slice(0, 30)}`, asksFor('logging/setLevel', `{"level":${level}}`)),
  ),
  ...['1', textless, '"1999-01-01"'].map((version) =>
    answered(`the version ${version} in a handshake`, asksFor('initialize', `{"protocolVersion":${version}}`)),
  ),
];

const names = [
  'null',
  '1',
  '[]',
  '{}',
  textless,
  deep(),
  '"__proto__"',
  '"constructor"',
  '"good:__proto__"',
  '":"',
  '"\\ud800"',
];
const toolCalls = [
  answered('a call without a name', asksFor('tools/call', '{}')),
  ...names.map((name) => answered(`a call to ${name.slice(0, 30)}`, calls(name, '{}'))),
  answered('a call to a name of 1 MB', () => calls(`"good:${megabytes(1)}"`, '{}')),
  ...['null', '1', '"x"', '[]', '{"tool":{"__proto__":{"toolbox":"x"}}}'].map((args) =>
    answered(`a call with the arguments ${args}`, calls('"use_tool"', args)),
  ),
  ...['good:echo', 'default__good__echo'].map((name) =>
    answered(`${name} with arguments 100,000 levels deep`, () => calls(`"${name}"`, `{"x":${deep()}}`)),
  ),
  answered('a call with 10 MB of arguments', () => calls('"good:add"', `{"x":"${megabytes(10)}"}`)),
  answered('a call with numbers out of range', calls('"good:echo"', '{"x":1e400,"y":-1e400,"z":1e-400}')),
];

const unasked = [
  ...['"result":{}', '"error":{}', '"result":{},"error":{}', '"error":null', '"result":null'].map((members) =>
    silent(`an answer nobody asked for: ${members}`, `{"jsonrpc":"2.0","id":1,${members}}`),
  ),
  unreadable('a deep answer nobody asked for', () => `{"jsonrpc":"2.0","id":1,"result":{"x":${deep()}}}`),
  ...['{}', '[]', 'null', '{"requestId":77}', '{"requestId":"__proto__"}', `{"requestId":${textless}}`].map((params) =>
    silent(`a cancellation with ${params}`, tells('notifications/cancelled', params)),
  ),
  unreadable('a deep cancellation', () => tells('notifications/cancelled', `{"requestId":${deep()}}`)),
  silent('a second notifications/initialized', tells('notifications/initialized', '{}')),
  silent('progress of a client', tells('notifications/progress', `{"progressToken":${textless}}`)),
  silent('a notification nobody knows', tells('__proto__', '{"__proto__":{}}')),
  silent('a notification with a name of 1 MB', () => tells(megabytes(1), '{}')),
  silent('a call without an id', tells('tools/call', '{"name":"good:exit","arguments":{}}')),
];

const oversize = [
  answered('a message of 65 MiB', () => asksFor('ping', `{"x":"${megabytes(65)}"}`)),
  unreadable(
    'a message of 65 MiB with its id at the end, but not last',
    () => `{"params":{"x":"${megabytes(65)}"},"id":"q","method":"ping"}`,
  ),
  unreadable('an answer of 65 MiB', () => `{"jsonrpc":"2.0","id":1,"result":{"x":"${megabytes(65)}"}}`),
  unreadable('a message of 65 MiB with an id inside its params', () => `{"params":{"id":"q","x":"${megabytes(65)}"}}`),
];

export const hostileLines: readonly HostileLine[] = [
  ...[...texts, ...shapes, ...ids, ...methods, ...parameters, ...toolCalls, ...unasked, ...oversize],
];
