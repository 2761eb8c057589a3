import { describe, expect, it } from 'vitest';
import { maskAllValues, maskSecrets } from '../../../src/config/secrets/mask.ts';
import { findSecretValues } from '../../../src/config/secrets/secret-value.ts';
import { failure, parse, serverOf } from '../support.ts';

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

describe('a value that is a secret by its look', () => {
  it.each([
    'sk-ant-api03-0123456789abcdef',
    'sk-proj-0123456789abcdef',
    'ghp_0123456789abcdefghij',
    'github_pat_0123456789abcdefghij',
    'glpat-0123456789abcdefghij',
    'xoxb-0123456789-abcdef',
    'AKIA0123456789ABCDEF',
    'AIza0123456789abcdefghijklmnopqrstuvwxy',
    'npm_0123456789abcdefghijklmnop',
    'hf_0123456789abcdefghij',
    'lin_api_0123456789abcdefghij',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefghijk',
  ])('such as %s is hidden wherever it stands, and learned as an argument', (token) => {
    const text = `{ "mcpServers": { "a": { "command": "x", "args": ["${token}"], "env": { "PLAIN": "${token}" }, "prefix": 1 } } }`;
    expect(failure(text).message).not.toContain(token);
    const { config, definition } = serverOf({ command: 'x', args: ['run', token] });
    expect(definition.shown).toBe('x run •••');
    expect(config.secrets).toEqual([{ name: 'argument', value: token }]);
  });

  it('is found in a long text in no more time than its length calls for', () => {
    for (const piece of ['sk-', 'eyJaaaaaaaa.', 'a.', 'Bearer ', 'ghp_a-', 'SG.'])
      expect(findSecretValues(piece.repeat(100_000)).length).toBeGreaterThanOrEqual(0);
  });

  it('is learned after a telling name only where it is no plain word', () => {
    const { config } = serverOf({ command: 'x', args: ['--auth', 'interactive', '--api-key', 'abcd1234'] });
    expect(config.secrets).toEqual([{ name: 'api-key', value: 'abcd1234' }]);
  });
});

describe('what is shown of a server', () => {
  it.each([
    [{ command: 'npx', args: ['-y', 'x', '${ROOT:-.}'] }, 'npx -y x ${ROOT:-.}'],
    [{ command: 'x', args: ['--token', 'hidden', 'y'] }, 'x --token ••• y'],
    [{ command: 'x', args: ['--token', '${TOKEN}'] }, 'x --token ${TOKEN}'],
    [{ command: 'x', args: ['--api-key=hidden', 'A_SECRET=hidden'] }, 'x --api-key=••• A_SECRET=•••'],
    [{ command: 'x', args: ['https://u:hidden@h/p?q=hidden'] }, 'x https://h/p?…'],
    [{ command: 'x', args: ['sk-ant-api03-hidden-hidden', '-v'] }, 'x ••• -v'],
    [{ command: 'x', args: ['a=1', 'key:ghp_hiddenhiddenhidden1', 'y'] }, 'x a=1 key:••• y'],
    [
      { command: 'x', args: ['--header', 'Authorization: Bearer hidden', '-H', 'hidden'] },
      'x --header Authorization: ••• -H •••',
    ],
    [{ command: 'x', args: ['--header=X-Team: hidden', '-HX-Team:hidden'] }, 'x --header=X-Team: ••• -HX-Team:•••'],
    [{ command: 'x', args: ['--header', 'Authorization: Bearer ${TOKEN}'] }, 'x --header Authorization: •••${TOKEN}'],
    [
      { command: 'x', args: ['task-force-seventeen', 'risk-assessment-tools'] },
      'x task-force-seventeen risk-assessment-tools',
    ],
    [{ url: 'https://h/sk-ant-api03-hidden-hidden/mcp' }, 'https://h/•••/mcp'],
    [{ url: 'https://h/mcp' }, 'https://h/mcp'],
    [{ url: 'https://u:hidden@${HOST}/mcp?key=hidden' }, 'https://${HOST}/mcp?…'],
    [{ command: 'a\u001b[31mb' }, 'a\\u{1b}[31mb'],
  ])('is what is written, without secrets: %j', (entry, shown) => {
    const env = { ROOT: 'root-value', TOKEN: 'token-value', HOST: 'example.com' };
    expect(serverOf(entry, { env }).definition.shown).toBe(shown);
  });
});
