import { describe, expect, it } from 'vitest';
import { parseConfigValue } from '../../src/config/read/parse.ts';
import { buildUriMap } from '../../src/toolbox/public-uri.ts';

const command = { command: 'x' };
const names = [
  'files',
  'GitHub',
  'a.b-c',
  'wb-x',
  'wb-c3a9',
  'é',
  'with space',
  '9lives',
  'Case',
  'case',
  'a+b',
  'my_server',
];
const config = parseConfigValue(
  {
    mcpServers: {
      ...Object.fromEntries(names.map((name) => [name, { command: name }])),
      kept: { ...command, prefix: false },
    },
  },
  { dir: '/', env: {} },
);
const map = buildUriMap(config);

const uris = [
  'file:///readme.md',
  'file:///a%20b?c=d#e',
  'note:1',
  'git+ssh://host/x',
  'files+file:///already',
  'wb-c3a9+x:y',
  'ui://app/main.html',
  'ui:///no-authority',
  'ui://files+app/x',
  'ui:opaque',
  'UI://App/x',
  'no scheme at all',
  '+',
  'é://ü',
];

describe('public URIs', () => {
  it.each(names.flatMap((key) => uris.map((uri) => [key, uri])))('lead back: server %j, %j', (key, uri) => {
    expect(map.unwrap(map.wrap(key as string, uri as string))).toEqual({
      key,
      uri: (uri as string).replace(/^UI:/, 'ui:'),
    });
  });

  it.each(uris)('are of one server only: %j', (uri) => {
    expect(new Set(names.map((key) => map.wrap(key, uri))).size).toBe(names.length);
  });

  it.each([
    ['files', 'file:///x', 'files+file:///x'],
    ['GitHub', 'repo://x', 'github+repo://x'],
    ['Case', 'a:b', 'wb-43617365+a:b'],
    ['case', 'a:b', 'case+a:b'],
    ['é', 'a:b', 'wb-c3a9+a:b'],
    ['files', 'ui://app/x', 'ui://files+app/x'],
    ['files', 'https://example.com/x', 'https://example.com/x'],
    ['files', 'HTTP://example.com/x', 'HTTP://example.com/x'],
    ['files', 'httpx://example.com/x', 'files+httpx://example.com/x'],
    ['kept', 'file:///x', 'file:///x'],
    ['kept', 'ui://app/x', 'ui://app/x'],
  ])('of server %j: %j is %j', (key, uri, shown) => {
    expect(map.wrap(key, uri)).toBe(shown);
  });

  it.each(['file:///x', 'git+ssh://x', 'nobody+file:///x', 'https://a+b/', 'ui://app/x', '', '+x', '__proto__+x'])(
    'without a label lead nowhere: %j',
    (uri) => {
      expect(map.unwrap(uri)).toBeUndefined();
    },
  );

  it('name a server that keeps its URIs all the same, when asked to', () => {
    expect(map.unwrap(map.label('kept', 'https://x/'))).toEqual({ key: 'kept', uri: 'https://x/' });
  });

  it('are kept in mode flat only', () => {
    expect(buildUriMap({ ...config, mode: 'meta' }).wrap('kept', 'file:///x')).toBe('kept+file:///x');
  });

  const templates = [
    'file:///{+path}',
    'ui://{app}/x',
    'ui://{+rest}',
    '{scheme}://any',
    'x:{a}{b}',
    'n:{?q}',
    'https://x/{a}',
  ];
  const values = ['', 'a', 'file', 'a/b', 'é+'];
  const expand = (template: string, value: string) => template.replace(/\{[^{}]*\}/g, value);
  it.each(templates.flatMap((template) => values.map((value) => [template, value])))(
    'of the template %j commute with its expansion to %j',
    (template, value) => {
      const expanded = expand(template as string, value as string);
      const shown = expand(map.wrap('files', template as string), value as string);
      expect(map.unwrap(shown)?.uri ?? shown).toBe(expanded);
      // Which scheme a variable will bring is not known beforehand; the label leads back whatever it is.
      if (!(template as string).startsWith('{')) expect(map.wrap('files', expanded)).toBe(shown);
    },
  );
});
