import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OpeningsOptions } from '../../src/boot/openings.ts';
import { answers, hello, openingFiles, owner, setUp } from './opening-folder.ts';

describe('the openings that are kept', () => {
  it.runIf(process.platform !== 'win32')('are neither read nor written where others could have had a hand in', () => {
    const { open, ground, folder, dir } = setUp();
    const find = (more?: Partial<OpeningsOptions>) => open(more).find(hello, 1_000);
    open().save(answers, ground(), 1_000);
    const [file = ''] = openingFiles(folder);
    for (const [path, mode, usual] of [
      [file, 0o640, 0o600],
      [file, 0o602, 0o600],
      [folder, 0o750, 0o700],
      [folder, 0o707, 0o700],
    ] as const) {
      chmodSync(path, mode);
      expect(find()).toBeUndefined();
      chmodSync(path, usual);
      expect(find()).toEqual(answers);
    }
    expect(find({ owner: { ...owner, uid: 4_000_000 } })).toBeUndefined();

    const linked = join(dir, 'linked');
    symlinkSync(folder, linked);
    expect(find({ folder: linked })).toBeUndefined();
    renameSync(file, join(dir, 'elsewhere'));
    symlinkSync(join(dir, 'elsewhere'), file);
    expect(find()).toBeUndefined();

    const shared = join(dir, 'shared');
    mkdirSync(shared);
    chmodSync(shared, 0o777);
    open({ folder: shared }).save(answers, ground(), 1_000);
    expect(readdirSync(shared)).toEqual([]);
    const before = readdirSync(folder).length;
    const other = new Map([[`${hello} `, Buffer.from(',"result":{}}\n')]]);
    open({ folder: linked }).save(other, ground(), 1_000);
    expect(readdirSync(folder)).toHaveLength(before);
  });

  it('are not given when the file is damaged, cut or empty, and are saved anew', () => {
    const { open, ground, folder } = setUp();
    open().save(answers, ground(), 1_000);
    const [file = ''] = openingFiles(folder);
    const whole = readFileSync(file);
    const end = whole.indexOf('\n');
    const head = JSON.parse(whole.toString('utf8', 0, end));
    const withHead = (change: object) =>
      Buffer.concat([Buffer.from(JSON.stringify({ ...head, ...change })), whole.subarray(end)]);
    expect(withHead({})).toEqual(whole);
    const [[, length]] = head.answers;
    const damaged = [
      Buffer.alloc(0),
      Buffer.alloc(whole.length),
      Buffer.from('\n'),
      Buffer.from('[]\n'),
      whole.subarray(0, end),
      whole.subarray(0, end + 1),
      whole.subarray(0, -1),
      whole.subarray(0, whole.length - 5),
      Buffer.concat([whole.subarray(0, -5), Buffer.alloc(5)]),
      Buffer.concat([whole.subarray(0, -1), Buffer.alloc(1)]),
      Buffer.concat([whole, Buffer.from('x')]),
      Buffer.concat([whole, Buffer.alloc(3)]),
      withHead({ answers: head.answers.slice(0, 1) }),
      withHead({ answers: head.answers.slice(1) }),
      withHead({ answers: [...head.answers, ['more', 0]] }),
      withHead({ answers: [[hello, length + 1], ...head.answers.slice(1)] }),
      withHead({ answers: [[hello, -2], ...head.answers.slice(1)] }),
      withHead({ answers: [[hello, 1.5], ...head.answers.slice(1)] }),
      withHead({ answers: [[hello, `${length}`], ...head.answers.slice(1)] }),
      withHead({ answers: null }),
      withHead({ answers: [null] }),
      withHead({ basis: undefined }),
      withHead({ basis: 5 }),
      withHead({ contentBasis: undefined }),
      withHead({ savedAt: undefined }),
      withHead({ until: undefined }),
      withHead({ until: '2000' }),
      withHead({ files: undefined }),
      withHead({ files: head.files.slice(1) }),
      withHead({ variables: [] }),
      withHead({ variables: 'TOKEN' }),
    ];
    for (const bytes of damaged) {
      writeFileSync(file, bytes);
      expect(open().find(hello, 1_000), bytes.toString()).toBeUndefined();
      open().save(answers, ground(), 1_000);
      expect(open().find(hello, 1_000)).toEqual(answers);
    }
    rmSync(file);
    mkdirSync(file);
    expect(open().find(hello, 1_000)).toBeUndefined();
  });

  it('hold no value of a variable, in no file', () => {
    const { open, ground, folder } = setUp();
    open().save(answers, ground(), 1_000);
    const written = readdirSync(folder).map((name) => `${name}\n${readFileSync(join(folder, name), 'latin1')}`);
    expect(written.join('\n')).toContain('TOKEN');
    expect(written.join('\n')).not.toMatch(/swordfish|4711|c3dvcmRmaXNo/);
  });

  it('make no secret where there is no variable to hide', () => {
    const { open, ground, folder } = setUp();
    open().save(answers, ground({ variables: [] }), 1_000);
    expect(open().find(hello, 1_000)).toEqual(answers);
    expect(readdirSync(folder)).toHaveLength(1);
  });
});
