/**
 * The key that seals stored tokens, kept by the keychain of the system: one item for all tokens, because the keychain of
 * Windows takes no item above 2.5 kB. Nothing here fails where there is no keychain.
 */
import { randomBytes } from 'node:crypto';
import { type Keyring, type KeyringEntry, loadKeyring } from './load-keyring.ts';

export interface Keychain {
  /** The key, or undefined when there is no keychain that works. With `create`, a missing key is made. */
  key(options: { create: boolean }): Promise<Buffer | undefined>;
}

const keyBytes = 32;

export function createKeychain(load: () => Promise<Keyring | undefined> = async () => loadKeyring()): Keychain {
  let known: Buffer | undefined;
  let works = true;
  return {
    async key({ create }) {
      if (known !== undefined || !works) return known;
      try {
        const keyring = await load();
        // The kernel's keyring of Linux forgets at the next start; only a lasting one will do.
        const lasting = { linux: { store: 'secret-service' } };
        const entry = keyring === undefined ? undefined : new keyring.AsyncEntry('mcp-workbench', 'tokens', lasting);
        works = entry !== undefined;
        known = entry === undefined ? undefined : await findOrMakeKey(entry, create);
      } catch {
        works = false;
      }
      return known;
    },
  };
}

async function findOrMakeKey(entry: KeyringEntry, create: boolean): Promise<Buffer | undefined> {
  const stored = await entry.getPassword();
  const key = stored ? Buffer.from(stored, 'base64') : undefined;
  if (key?.length === keyBytes) return key;
  if (!create) return undefined;
  await entry.setPassword(randomBytes(keyBytes).toString('base64'));
  // Another process may have made a key at the same moment: the one that the keychain kept counts.
  const kept = Buffer.from((await entry.getPassword()) ?? '', 'base64');
  return kept.length === keyBytes ? kept : undefined;
}
