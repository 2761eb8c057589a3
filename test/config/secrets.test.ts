import { describe, expect, it } from 'vitest';
import { maskAllValues, maskSecrets } from '../../src/config/mask.ts';
import { failure, parse, serverOf } from './support.ts';

describe('secrets', () => {
  it('are all values from the environment, all headers, and variables with a telling name', () => {
    const config = parse(
      {
        mcpServers: {
          a: { command: '${CMD}', args: ['${A:-none}'], env: { API_KEY: 'literal-key', DEBUG: '1', X: '${FROM_ENV}' } },
          b: { url: 'https://x/', headers: { Authorization: 'Bearer literal-token', Cookie: 'c=${COOKIE}' } },
        },
      },
      { env: { CMD: 'npx', FROM_ENV: 'from-env', COOKIE: 'crumbs' } },
    );
    expect(config.secrets).toEqual([
      { name: 'CMD', value: 'npx' },
      { name: 'FROM_ENV', value: 'from-env' },
      { name: 'API_KEY', value: 'literal-key' },
      { name: 'COOKIE', value: 'crumbs' },
      { name: 'Authorization', value: 'Bearer literal-token' },
      { name: 'Authorization', value: 'literal-token' },
      { name: 'Cookie', value: 'c=crumbs' },
    ]);
  });

  it.each(['API_KEY', 'github_token', 'MY_SECRET', 'PASSWORD', 'DB_PASSWD', 'AUTH', 'CREDENTIALS'])(
    'include a literal called %s',
    (name) => {
      expect(serverOf({ command: 'x', env: { [name]: 'literal' } }).config.secrets).toEqual([
        { name, value: 'literal' },
      ]);
    },
  );

  it('are never in the text of a problem, also not in the lines it shows', () => {
    const text = `{ "mcpServers": {
      "a": { "url": "https://user:hidden1@example.com/mcp?key=hidden2", "headers": { "Authorization": "Bearer hidden3" }, "timeoutMs": 0 },
      "b": { "command": "x", "env": { "API_KEY": "hidden4", "N": 1 }, "args": ["--token", "hidden5", "--api-key=hidden6"], "prefix": 1 },
      "c": { "command": "x", "oauth": { "clientSecret": "hidden7" }, "comman": "\${HIDDEN}", "args": 1 }
    } }`;
    const { message } = failure(text, { env: { HIDDEN: 'hidden8' } });
    expect(message).not.toContain('hidden');
    expect(message).toContain('https://••••••••••••@example.com/mcp?•••');
    expect(message).toContain('"timeoutMs": 0');
  });

  it('are not in the lines of a text that cannot be parsed', () => {
    const { message } = failure('{ "headers": { "Authorization" "Bearer hidden" } ');
    expect(message).not.toContain('hidden');
    expect(message).toContain('"headers"');
  });

  it('leave names of variables readable when they are masked, but no defaults', () => {
    const text = '{"headers": {"A": "Bearer ${TOKEN}", "B": "${TOKEN:-hidden}"}}';
    expect(maskSecrets(text)).toBe('{"headers": {"A": "•••••••${TOKEN}", "B": "${TOKEN:••••••••"}}');
  });

  it('are masked character for character', () => {
    const text = '{\n  "env": {"KEY": "a\\"b😀"},\n  "x": "y"\n}';
    expect(maskSecrets(text)).toBe('{\n  "env": {"KEY": "••••••"},\n  "x": "y"\n}');
    expect(maskAllValues('{"a": "b", "c')).toBe('{"a": "•", "•');
    expect(maskAllValues('{"a": "b", "c" "de"}')).toBe('{"a": "•", "•" "••"}');
  });
});

describe('what is shown of a server', () => {
  it.each([
    [{ command: 'npx', args: ['-y', 'x', '${ROOT:-.}'] }, 'npx -y x ${ROOT:-.}'],
    [{ command: 'x', args: ['--token', 'hidden', 'y'] }, 'x --token ••• y'],
    [{ command: 'x', args: ['--token', '${TOKEN}'] }, 'x --token ${TOKEN}'],
    [{ command: 'x', args: ['--api-key=hidden', 'A_SECRET=hidden'] }, 'x --api-key=••• A_SECRET=•••'],
    [{ command: 'x', args: ['https://u:hidden@h/p?q=hidden'] }, 'x https://h/p?…'],
    [{ url: 'https://h/mcp' }, 'https://h/mcp'],
    [{ url: 'https://u:hidden@${HOST}/mcp?key=hidden' }, 'https://${HOST}/mcp?…'],
    [{ command: 'a\u001b[31mb' }, 'a\\u{1b}[31mb'],
  ])('is what is written, without secrets: %j', (entry, shown) => {
    const env = { ROOT: 'root-value', TOKEN: 'token-value', HOST: 'example.com' };
    expect(serverOf(entry, { env }).definition.shown).toBe(shown);
  });
});
