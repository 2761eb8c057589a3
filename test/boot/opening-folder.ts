/** A folder to keep openings in, and what is kept there. */
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOpenings, type Ground, type OpeningsOptions, type Start } from '../../src/boot/openings.ts';
import { stampOf } from '../../src/config/stamp.ts';

export const owner = { platform: process.platform, uid: process.getuid?.() };
export const hello = '{"id":,"method":"initialize"}';
export const list = '{"id":,"method":"tools/list"}';
export const answers = new Map([
  [hello, Buffer.from(',"result":{"name":"é"}}\n')],
  [list, Buffer.from(',"result":{"tools":[]}}\n')],
]);
export const plain: Start = {
  program: '1:2:3',
  argv: ['--mode', 'flat'],
  cwd: '/home/me',
  home: '/home/me',
  config: '/c.json',
};

/** A folder to keep openings in, and files that answers rest on: one that is there and one that is not. */
export function setUp() {
  const dir = mkdtempSync(join(tmpdir(), 'workbench-opening-'));
  const [folder, there, absent] = [join(dir, 'opening'), join(dir, 'there'), join(dir, 'absent')];
  writeFileSync(there, 'one');
  const ground = (more: Partial<Ground> = {}): Ground => ({
    files: new Map([there, absent].map((path) => [path, stampOf(path)])),
    variables: ['TOKEN', 'UNSET'],
    until: 2_000,
    ...more,
  });
  const env = { TOKEN: 'swordfish-4711', OTHER: 'x' };
  const open = (more: Partial<OpeningsOptions> = {}) => createOpenings({ folder, owner, start: plain, env, ...more });
  return { dir, folder, there, absent, ground, env, open };
}

export function openingFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.opening'))
    .map((name) => join(folder, name));
}
