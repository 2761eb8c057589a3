import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EmbedError } from '../../../src/search/embed/embedder.ts';
import { createPackageEmbedder, type PackageEmbedderOptions } from '../../../src/search/embed/package-embedder.ts';
import { atEnd } from '../../support/at-end.ts';
import { tempDir } from '../../support/processes.ts';

const never = new AbortController().signal;

/** A folder with packages: file contents by name. */
function install(packages: Record<string, string>): string {
  const folder = tempDir();
  for (const [name, code] of Object.entries(packages)) {
    const dir = join(folder, 'node_modules', name);
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'package.json'), JSON.stringify({ name, main: 'index.js' }));
    writeFileSync(join(dir, 'index.js'), code);
  }
  return folder;
}

function open(options: PackageEmbedderOptions) {
  const embedder = createPackageEmbedder(options);
  atEnd(() => embedder.close());
  return embedder;
}

/** As @energetic-ai/embeddings has it: a model from its weights. */
const twoPackages = {
  '@test/embeddings': `exports.initModel = async (source) => {
    const factor = await source();
    return { embed: async (texts) => texts.map((text) => [text.length * factor, 1]) };
  };`,
  '@test/weights': 'exports.modelSource = async () => 2;',
};

describe('an embedder from a package', () => {
  it('loads the package and its weights from the folder of the configuration', async () => {
    const folders = [install(twoPackages)];
    const embedder = open({ name: '@test/embeddings', model: '@test/weights', folders });
    const [vector] = await embedder.embed(['abcd'], never);
    expect(vector?.[0]).toBeCloseTo(8 / Math.hypot(8, 1));
  });

  it('looks in the second folder for what the first does not have', async () => {
    const folders = [tempDir(), install(twoPackages)];
    const embedder = open({ name: '@test/embeddings', model: '@test/weights', folders });
    expect(await embedder.embed(['a', 'b'], never)).toHaveLength(2);
  });

  it.each([
    ['mjs', 'export const embed = async (texts) => texts.map(() => [3, 4]);'],
    ['mjs', 'export default (texts) => texts.map(() => new Float32Array([3, 4]));'],
    ['cjs', 'exports.embed = (texts) => texts.map(() => [3, 4]);'],
  ])('loads a module of one file (%s): %s', async (ending, code) => {
    const path = join(tempDir(), `embed.${ending}`);
    writeFileSync(path, code);
    const [vector] = await open({ name: path, folders: [] }).embed(['a'], never);
    expect(vector?.[1]).toBeCloseTo(0.8);
  });

  it('says which package is missing, where it was looked for and how to install it', async () => {
    const folders = [tempDir()];
    const embedder = open({ name: '@energetic-ai/not-here', folders });
    const error = await embedder.embed(['a'], never).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      mayPass: false,
      message: `the package @energetic-ai/not-here is not installed; it was looked for from ${folders[0]}. Run: npm install @energetic-ai/not-here`,
    });
  });

  it.each<[string, string, string]>([
    ['throws while it is loaded', 'throw new Error("broken");', 'broken'],
    ['has neither function', 'exports.other = 1;', 'exports neither "embed" nor "initModel"'],
    ['needs weights', 'exports.initModel = () => {};', 'needs a package with weights'],
    ['fails', 'exports.embed = () => { throw new Error("no luck"); };', 'no luck'],
    ['gives something else', 'exports.embed = () => 7;', 'fails'],
    ['gives too few vectors', 'exports.embed = () => [];', '0 vectors for 1 texts'],
    ['gives NaN', 'exports.embed = () => [[NaN, 1]];', 'not numbers'],
    ['ends the thread', 'exports.embed = () => process.exit(3);', 'has ended'],
  ])('is a clear failure when the package %s', async (_title, code, message) => {
    const embedder = open({ name: 'bad', folders: [install({ bad: code })] });
    const error = await embedder.embed(['a'], never).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(EmbedError);
    expect((error as EmbedError).message).toContain(message);
  });

  it('starts another thread after one that was lost', async () => {
    const code = 'exports.embed = ([text]) => (text === "end" ? process.exit(3) : [[1, 2]]);';
    const embedder = open({ name: 'moody', folders: [install({ moody: code })] });
    await expect(embedder.embed(['end'], never)).rejects.toMatchObject({ mayPass: true });
    expect(await embedder.embed(['go'], never)).toHaveLength(1);
  });

  it('gives up a text when its time is up, and goes on with the next', async () => {
    const code =
      'exports.embed = ([text]) => (text === "slow" ? new Promise((done) => setTimeout(done, 50, [[1, 2]])) : [[1, 2]]);';
    const embedder = open({ name: 'slow', folders: [install({ slow: code })] });
    const limit = new AbortController();
    const asked = embedder.embed(['slow'], limit.signal);
    limit.abort();
    await expect(asked).rejects.toBeInstanceOf(EmbedError);
    expect(await embedder.embed(['quick'], never)).toHaveLength(1);
  });

  it('shows the package neither the variables of this process nor its stdout', async () => {
    process.env.WORKBENCH_TEST_SECRET = 'hidden';
    atEnd(() => delete process.env.WORKBENCH_TEST_SECRET);
    const code =
      'console.log("on stdout"); process.stdout.write("too"); exports.embed = () => [[process.env.WORKBENCH_TEST_SECRET === undefined ? 1 : -1, 0.1]];';
    const embedder = open({ name: 'loud', folders: [install({ loud: code })] });
    const [vector] = await embedder.embed(['a'], never);
    expect(vector?.[0]).toBeGreaterThan(0);
  });
});
