import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Start } from '../../src/boot/openings.ts';
import { stampOf } from '../../src/config/stamp.ts';
import { answers, hello, list, openingFiles, plain, setUp } from './opening-folder.ts';

describe('the openings of clients', () => {
  it('are given back as they were saved by another run, and there is nothing before', () => {
    const { open, ground, folder } = setUp();
    expect(open().any()).toBe(false);
    expect(open().find(hello, 1_000)).toBeUndefined();
    open().save(answers, ground(), 1_000);
    expect(open().any()).toBe(true);
    expect(open().find(hello, 1_000)).toEqual(answers);
    expect(openingFiles(folder)).toHaveLength(1);
  });

  it('are of the client that asked exactly this first', () => {
    const { open, ground, folder } = setUp();
    open().save(answers, ground(), 1_000);
    expect(open().find(list, 1_000)).toBeUndefined();
    // Names of files are short: two questions may have the same one.
    for (const file of openingFiles(folder)) rmSync(file);
    open().save(new Map([...answers].slice(0, 1)), ground(), 1_000);
    const [ofHello = ''] = openingFiles(folder);
    open().save(new Map([...answers].slice(1)), ground(), 1_000);
    const ofList = openingFiles(folder).find((file) => file !== ofHello) ?? '';
    expect(open().find(list, 1_000)).toBeDefined();
    writeFileSync(ofList, readFileSync(ofHello));
    expect(open().find(list, 1_000)).toBeUndefined();
    expect(open().find(hello.replace('initialize', 'initialise'), 1_000)).toBeUndefined();
  });

  it.each<[string, Partial<Start>]>([
    ['the program', { program: '1:2:4' }],
    ['the command line', { argv: ['--mode', 'meta'] }],
    ['the command line, cut otherwise', { argv: ['--mode flat'] }],
    ['the folder', { cwd: '/home/you' }],
    ['the home', { home: '/home/you' }],
    ['the configuration file', { config: '/d.json' }],
  ])('are not believed when %s is another one', (_, change) => {
    const { open, ground } = setUp();
    open().save(answers, ground(), 1_000);
    expect(open({ start: { ...plain, ...change } }).find(hello, 1_000)).toBeUndefined();
    expect(open().find(hello, 1_000)).toEqual(answers);
  });

  it.each<[string, (files: { there: string; absent: string }) => void]>([
    ['was written again with other content of the same length', ({ there }) => writeFileSync(there, 'two')],
    ['has vanished', ({ there }) => rmSync(there)],
    [
      'has become a folder',
      ({ there }) => {
        rmSync(there);
        mkdirSync(there);
      },
    ],
    ['has appeared', ({ absent }) => writeFileSync(absent, '')],
    [
      'was changed and given its old time again',
      ({ there }) => {
        const { atime, mtime } = statSync(there);
        writeFileSync(there, 'two');
        utimesSync(there, atime, mtime);
      },
    ],
  ])('are not believed when a file they rest on %s', (_, change) => {
    const { open, ground, ...files } = setUp();
    open().save(answers, ground(), 1_000);
    change(files);
    expect(open().find(hello, 1_000)).toBeUndefined();
  });

  it('are believed when a file was replaced by one with the same content, and are saved anew', () => {
    const { open, ground, folder, there } = setUp();
    open().save(answers, ground(), 1_000);
    const [file = ''] = openingFiles(folder);
    const before = stampOf(file);
    writeFileSync(`${there}2`, 'one');
    renameSync(`${there}2`, there);
    expect(open().find(hello, 1_000)).toEqual(answers);
    open().save(answers, ground(), 1_000);
    expect(stampOf(file)).not.toBe(before);
  });

  it('are believed when a catalog was heard again and says the same', () => {
    const { open, ground, dir } = setUp();
    const catalog = join(dir, 'a.jsonl');
    const write = (at: number, what: string) => writeFileSync(catalog, `{"heardAt":${at}}\n${what}`);
    write(1, 'tools');
    open().save(answers, ground({ files: new Map([[catalog, stampOf(catalog)]]) }), 1_000);
    write(2, 'tools');
    expect(open().find(hello, 1_000)).toEqual(answers);
    write(2, 'fools');
    expect(open().find(hello, 1_000)).toBeUndefined();
  });

  it.each<[string, Record<string, string | undefined>]>([
    ['changed', { TOKEN: 'swordfish-4712' }],
    ['emptied', { TOKEN: '' }],
    ['unset', {}],
    ['set', { TOKEN: 'swordfish-4711', UNSET: 'now' }],
    ['set to nothing', { TOKEN: 'swordfish-4711', UNSET: '' }],
  ])('are not believed when a variable is %s', (_, env) => {
    const { open, ground } = setUp();
    open().save(answers, ground(), 1_000);
    expect(open({ env }).find(hello, 1_000)).toBeUndefined();
  });

  it('do not depend on other variables', () => {
    const { open, ground, env } = setUp();
    open().save(answers, ground(), 1_000);
    expect(open({ env: { ...env, OTHER: 'y', MORE: 'z' } }).find(hello, 1_000)).toEqual(answers);
  });

  it('are not believed when the secret that seals the variables was exchanged', () => {
    const { open, ground, folder } = setUp();
    open().save(answers, ground(), 1_000);
    rmSync(join(folder, 'secret'));
    expect(open().find(hello, 1_000)).toBeUndefined();
  });

  it.each([
    [999, false],
    [1_000, true],
    [2_000, true],
    [2_001, false],
    [Number.NaN, false],
  ])('that hold from 1000 to 2000 are believed at %s: %s', (now, isBelieved) => {
    const { open, ground } = setUp();
    open().save(answers, ground(), 1_000);
    expect(open().find(hello, now) !== undefined).toBe(isBelieved);
  });

  it('are never more than 24 files, drafts that were left behind included; the oldest go', () => {
    const { open, ground, folder } = setUp();
    const startOf = (n: number): Start => ({ ...plain, argv: [`${n}`] });
    for (let n = 1; n <= 30; n++) {
      if (n % 5 === 0) writeFileSync(join(folder, `left-${n}.opening.99.tmp`), '');
      open({ start: startOf(n) }).save(answers, ground({ variables: [] }), 1_000);
      for (const name of readdirSync(folder))
        if (statSync(join(folder, name)).mtimeMs > 1_000_000) utimesSync(join(folder, name), n, n);
    }
    expect(readdirSync(folder).length).toBeLessThanOrEqual(24);
    expect(open({ start: startOf(1) }).find(hello, 1_000)).toBeUndefined();
    expect(open({ start: startOf(30) }).find(hello, 1_000)).toEqual(answers);
  });

  it('are not saved when a file has changed since it was read, in either direction', () => {
    const { open, ground, there, absent, folder } = setUp();
    const read = ground();
    writeFileSync(there, 'two');
    open().save(answers, read, 1_000);
    const again = ground();
    writeFileSync(absent, '');
    open().save(answers, again, 1_000);
    const last = ground();
    rmSync(there);
    open().save(answers, last, 1_000);
    expect(existsSync(folder)).toBe(false);
    open().save(answers, ground(), 1_000);
    expect(open().find(hello, 1_000)).toEqual(answers);
  });

  it('are not saved without an answer, or when they are too large to be quick', () => {
    const { open, ground, folder } = setUp();
    open().save(new Map(), ground(), 1_000);
    expect(existsSync(folder)).toBe(false);
    const huge = Buffer.alloc(9 * 1_024 * 1_024, ' ');
    huge.write('}\n', huge.length - 2);
    open().save(new Map([[hello, huge]]), ground(), 1_000);
    expect(openingFiles(folder)).toEqual([]);
  });

  it('say nothing when there is no place to write', () => {
    const { open, ground, there } = setUp();
    const inFile = { folder: join(there, 'opening') };
    open(inFile).save(answers, ground(), 1_000);
    expect(open(inFile).any()).toBe(false);
    expect(open(inFile).find(hello, 1_000)).toBeUndefined();
  });

  it('are left alone when they are kept already, also after a client that asked less', () => {
    const { open, ground, folder } = setUp();
    open().save(answers, ground(), 1_000);
    const [file = ''] = openingFiles(folder);
    const before = stampOf(file);
    open().save(answers, ground(), 1_500);
    open().save(new Map([...answers].slice(0, 1)), ground(), 1_500);
    expect(stampOf(file)).toBe(before);
    expect(open().find(hello, 1_000)).toEqual(answers);
  });

  it('are saved anew when they are not believed any more, although nothing has changed', () => {
    const { open, ground } = setUp();
    open().save(answers, ground(), 1_000);
    expect(open().find(hello, 3_000)).toBeUndefined();
    open().save(answers, ground({ until: 4_000 }), 3_000);
    expect(open().find(hello, 3_000)).toEqual(answers);
    // The clock was wrong, and is set back.
    expect(open().find(hello, 500)).toBeUndefined();
    open().save(answers, ground(), 500);
    expect(open().find(hello, 500)).toEqual(answers);
  });

  it('are replaced when an answer, or what they rest on, has become another, and leave no draft', () => {
    const { open, ground, folder, there } = setUp();
    open().save(answers, ground(), 1_000);
    const other = new Map([...answers, [list, Buffer.from(',"result":{"tools":[1]}}\n')] as const]);
    open().save(other, ground(), 1_000);
    expect(open().find(hello, 1_000)).toEqual(other);
    writeFileSync(there, 'two');
    open().save(answers, ground(), 1_000);
    expect(open().find(hello, 1_000)).toEqual(answers);
    expect(readdirSync(folder)).toHaveLength(2);
  });
});
