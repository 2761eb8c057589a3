import { spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCodeStore } from '../../src/boot/code-store.ts';
import { canBeTwoUsers, giveAway } from '../support/other-user.ts';

const code = Buffer.from('compiled');
const program = 'a'.repeat(64);
const owner = { platform: process.platform, uid: process.getuid?.() };
const newFolder = () => join(mkdtempSync(join(tmpdir(), 'workbench-code-')), 'code');
const open = (folder: string, given: { program?: string; engine?: string; uid?: number } = {}) =>
  createCodeStore({
    folder,
    owner: { ...owner, uid: given.uid ?? owner.uid },
    program: given.program ?? program,
    engine: given.engine ?? 'v20',
  });

function savedFile(folder: string): string {
  return join(folder, readdirSync(folder)[0] as string);
}

describe('the store of compiled code', () => {
  it('gives back what another run has saved, and nothing before', () => {
    const folder = newFolder();
    expect(open(folder).find()).toBeUndefined();
    open(folder).save(code);
    expect(open(folder).find()).toEqual(code);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('never gives the code of another program, nor of another Node.js', () => {
    const folder = newFolder();
    open(folder).save(code);
    expect(open(folder, { program: `${'a'.repeat(63)}b` }).find()).toBeUndefined();
    expect(open(folder, { engine: 'v22' }).find()).toBeUndefined();
  });

  it('never gives code that is damaged, cut or empty', () => {
    const folder = newFolder();
    open(folder).save(code);
    const file = savedFile(folder);
    const whole = readFileSync(file);
    const flipped = Buffer.from(whole);
    flipped[whole.length - 1] = (whole.at(-1) as number) ^ 1;
    for (const text of [flipped, whole.subarray(0, -1), whole.subarray(0, 10), Buffer.alloc(0)]) {
      writeFileSync(file, text);
      expect(open(folder).find()).toBeUndefined();
    }
  });

  it.runIf(process.platform !== 'win32')('never gives what others could have written, and writes nothing there', () => {
    const folder = newFolder();
    open(folder).save(code);
    chmodSync(savedFile(folder), 0o620);
    expect(open(folder).find()).toBeUndefined();
    chmodSync(savedFile(folder), 0o600);
    expect(open(folder, { uid: 4_000_000 }).find()).toBeUndefined();
    chmodSync(folder, 0o770);
    expect(open(folder).find()).toBeUndefined();
    const linked = newFolder();
    chmodSync(folder, 0o700);
    symlinkSync(folder, linked);
    expect(open(linked).find()).toBeUndefined();
    const shared = newFolder();
    mkdirSync(shared);
    chmodSync(shared, 0o777);
    open(shared).save(code);
    expect(readdirSync(shared)).toEqual([]);
  });

  it.runIf(canBeTwoUsers)('never gives code of another user, however quickly the file is changed for his', async () => {
    const folder = newFolder();
    open(folder).save(code);
    const file = savedFile(folder);
    const theirs = join(folder, '..', 'theirs');
    open(theirs).save(Buffer.from('theirs'));
    giveAway(savedFile(theirs));
    const swap = `
      const { linkSync, renameSync } = require('node:fs');
      const [mine, theirs, file] = process.argv.slice(1);
      for (;;) for (const from of [theirs, mine]) { linkSync(from, file + '.x'); renameSync(file + '.x', file); }`;
    const own = join(folder, '..', 'own');
    renameSync(file, own);
    const swapper = spawn(process.execPath, ['-e', swap, own, savedFile(theirs), file], { stdio: 'ignore' });
    const gone = new Promise((resolve) => swapper.once('exit', resolve));
    const given = new Set<string>();
    const store = open(folder);
    // Long enough that a look at the path and a later one would have differed many times.
    const begun = performance.now();
    const isOver = (ms: number) => performance.now() - begun > ms;
    while (!isOver(1_500) || !(given.has('compiled') || isOver(20_000))) given.add(String(store.find()));
    swapper.kill('SIGKILL');
    await gone;
    expect([...given].sort()).toEqual(['compiled', 'undefined']);
  });

  it('keeps the code of a few versions and removes the oldest of more', () => {
    const folder = newFolder();
    for (let version = 1; version <= 33; version++) {
      open(folder, { engine: `v${version}` }).save(code);
      for (const name of readdirSync(folder).filter((each) => each.startsWith(`v${version}-`)))
        utimesSync(join(folder, name), version, version);
    }
    expect(readdirSync(folder)).toHaveLength(30);
    expect(open(folder, { engine: 'v1' }).find()).toBeUndefined();
    expect(open(folder, { engine: 'v33' }).find()).toEqual(code);
  });

  it('says nothing when there is no place to write', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'workbench-code-')), 'file');
    writeFileSync(file, '');
    open(join(file, 'code')).save(code);
    expect(open(join(file, 'code')).find()).toBeUndefined();
  });
});
