import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../../../src/base/text/log.ts';
import { createRedactor } from '../../../../src/base/text/redact.ts';
import { createKeychain } from '../../../../src/downstream/oauth/tokens/keychain.ts';
import type { Keyring } from '../../../../src/downstream/oauth/tokens/load-keyring.ts';
import { createTokenStore } from '../../../../src/downstream/oauth/tokens/token-store.ts';
import { canBeTwoUsers, giveAway } from '../../../support/other-user.ts';
import { tempDir } from '../../../support/processes.ts';

function fakeKeyring(): { keyring: Keyring; items: Map<string, string> } {
  const items = new Map<string, string>();
  class AsyncEntry {
    readonly #name: string;
    constructor(service: string, account: string) {
      this.#name = `${service}/${account}`;
    }
    getPassword = async () => items.get(this.#name) ?? null;
    setPassword = async (password: string) => void items.set(this.#name, password);
  }
  return { keyring: { AsyncEntry }, items };
}

function open(dir: string, load: () => Promise<Keyring | undefined>) {
  const said: string[] = [];
  const log = createLog({ level: 'debug', redactor: createRedactor(), write: (line) => said.push(line) });
  return { store: createTokenStore({ dir, keychain: createKeychain(load), log }), said };
}

const none = async () => undefined;
const entry = { tokens: { accessToken: 'very-secret-token' } };

describe('the store of tokens', () => {
  it.runIf(canBeTwoUsers)('uses no sign-in that another user has put there, and says so', async () => {
    const dir = tempDir();
    const { store, said } = open(dir, none);
    await store.save('one', entry);
    giveAway(join(dir, 'one.json'));
    expect(await store.find('one')).toBeUndefined();
    expect(said.join()).toContain('not used');
  });

  it.runIf(process.platform !== 'win32')('uses no sign-in that others could have written', async () => {
    const dir = tempDir();
    const { store } = open(dir, none);
    await store.save('one', entry);
    chmodSync(join(dir, 'one.json'), 0o666);
    expect(await store.find('one')).toBeUndefined();
  });

  it('keeps what it is given between runs, readable by its owner only', async () => {
    const dir = join(tempDir(), 'oauth');
    await open(dir, none).store.save('one', entry);
    expect(await open(dir, none).store.find('one')).toEqual(entry);
    expect(readdirSync(dir)).toEqual(['one.json']);
    if (process.platform === 'win32') return;
    expect(statSync(join(dir, 'one.json')).mode & 0o777).toBe(0o600);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
  });

  it('knows nothing of what was removed or never there', async () => {
    const { store } = open(tempDir(), none);
    expect(await store.find('one')).toBeUndefined();
    await store.remove('one');
    await store.save('one', entry);
    await store.remove('one');
    expect(await store.find('one')).toBeUndefined();
  });

  it.each([
    ['cut off', '{"version":1,"entry":{"tok'],
    ['empty', ''],
    ['of another shape', '{"version":1,"entry":[1]}'],
    ['no JSON', 'hello'],
  ])('sets a file aside that is %s, says so, and goes on', async (_, text) => {
    const dir = tempDir();
    writeFileSync(join(dir, 'one.json'), text, { mode: 0o600 });
    const { store, said } = open(dir, none);
    expect(await store.find('one')).toBeUndefined();
    expect(said.join('')).toContain('damaged');
    expect(readdirSync(dir)).toEqual(['one.json.damaged']);
    await store.save('one', entry);
    expect(await store.find('one')).toEqual(entry);
  });

  it('seals what it keeps with a key of the keychain, whatever its size', async () => {
    const dir = tempDir();
    const { keyring, items } = fakeKeyring();
    const large = { tokens: { accessToken: 'very-secret-token'.repeat(1_000) } };
    await open(dir, async () => keyring).store.save('one', large);
    expect(readFileSync(join(dir, 'one.json'), 'utf8')).not.toContain('very-secret-token');
    expect([...items.values()].join('')).not.toContain('very-secret-token');
    expect(await open(dir, async () => keyring).store.find('one')).toEqual(large);
  });

  it('keeps a sealed entry while the keychain cannot be opened, and asks for a sign-in meanwhile', async () => {
    const dir = tempDir();
    const { keyring } = fakeKeyring();
    await open(dir, async () => keyring).store.save('one', entry);
    const { store, said } = open(dir, none);
    expect(await store.find('one')).toBeUndefined();
    expect(said.join('')).toContain('keychain');
    expect(await open(dir, async () => keyring).store.find('one')).toEqual(entry);
  });

  it('does not believe a sealed entry that was changed or moved to another name', async () => {
    const dir = tempDir();
    const { keyring } = fakeKeyring();
    await open(dir, async () => keyring).store.save('one', entry);
    writeFileSync(join(dir, 'two.json'), readFileSync(join(dir, 'one.json')), { mode: 0o600 });
    expect(await open(dir, async () => keyring).store.find('two')).toBeUndefined();
  });

  it.each<[string, () => Promise<Keyring | undefined>]>([
    ['cannot be loaded', () => Promise.reject(new Error('no such module'))],
    ['is not there', none],
    [
      'refuses',
      async () => ({
        AsyncEntry: class {
          getPassword = () => Promise.reject(new Error('AccessDenied'));
          setPassword = () => Promise.reject(new Error('AccessDenied'));
        },
      }),
    ],
    [
      'forgets what it is given',
      async () => ({
        AsyncEntry: class {
          getPassword = async () => null;
          setPassword = async () => {};
        },
      }),
    ],
  ])('keeps files that are not sealed when the keychain %s', async (_, load) => {
    const dir = tempDir();
    await open(dir, load).store.save('one', entry);
    expect(await open(dir, load).store.find('one')).toEqual(entry);
  });
});
