/** Builds what is published: the program (a small file that starts at once, and the rest of it), the library (one file), its types, and the licences of what is bundled. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

rmSync(join(root, 'dist'), { recursive: true, force: true });

/**
 * Node's network modules cost more to load than the rest of the program takes to start. Written as `import` they would be loaded at
 * once, however late the module that wants them is; as `require` they are loaded together with it.
 */
const lateBuiltins = {
  name: 'late-builtins',
  setup(setup) {
    setup.onResolve({ filter: /^node:(https?|tls|net|dns|dns\/promises|zlib)$/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'late-builtin' } : undefined,
    );
    setup.onLoad({ filter: /.*/, namespace: 'late-builtin' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
      loader: 'js',
    }));
  },
};

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  // Prefer a dependency's ES module: it can be bundled without its unused parts.
  mainFields: ['module', 'main'],
  define: { __VERSION__: JSON.stringify(version) },
  // CommonJS dependencies ask for Node's modules with require, which an ES module does not have.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  legalComments: 'none',
  plugins: [lateBuiltins],
  metafile: true,
  logLevel: 'warning',
};

/** The same for functions of a module that many runs never call: it is loaded by the first call. A name that is missing here fails the build. */
const lateFunctions = (module, names) => ({
  name: `late-${module}`,
  setup(setup) {
    setup.onResolve({ filter: new RegExp(`^node:${module}$`) }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: `late-${module}` } : undefined,
    );
    setup.onLoad({ filter: /.*/, namespace: `late-${module}` }, ({ path }) => ({
      contents: names
        .map((name) => `export const ${name} = (...given) => require(${JSON.stringify(path)}).${name}(...given);`)
        .join('\n'),
      loader: 'js',
    }));
  },
});

/** What only few runs need and what needs nothing of ours is a file of its own: every start would have to load it with the rest. */
const ownFiles = {
  name: 'own-files',
  setup(setup) {
    setup.onResolve({ filter: /^(jose|oauth4webapi)$/ }, ({ path }) => ({ path: `./${path}.cjs`, external: true }));
  },
};

const small = { ...common, minifySyntax: true, minifyWhitespace: true };
// The entry loads the rest by itself, as a script whose compiled code can be kept (src/boot/load-program.ts).
const program = await build({
  ...small,
  entryPoints: ['src/cli/start.ts'],
  outfile: 'dist/program.cjs',
  format: 'cjs',
  banner: { js: '(function(require,module,__ownFolder){' },
  // A script has no `import.meta`.
  define: { ...common.define, 'import.meta.dirname': '__ownFolder' },
  footer: { js: '})' },
  charset: 'ascii',
  // In a script `import()` would have to be provided for, which Node calls experimental, on stderr.
  supported: { 'dynamic-import': false },
  plugins: [ownFiles, lateFunctions('child_process', ['spawn', 'execFile']), ...common.plugins],
});
const ownFileOf = (name) =>
  build({ ...small, entryPoints: [name], outfile: `dist/${name}.cjs`, format: 'cjs', banner: {} });
const libraries = [await ownFileOf('jose'), await ownFileOf('oauth4webapi')];
// Node loads CommonJS some milliseconds sooner than an ES module.
await build({
  ...small,
  entryPoints: ['src/cli/bin.ts'],
  outfile: 'dist/mcp-workbench.cjs',
  format: 'cjs',
  banner: {},
  define: { ...common.define, __PROGRAM__: JSON.stringify(hashOf('dist/program.cjs')) },
  plugins: [
    lateFunctions('child_process', ['spawn']),
    lateFunctions('crypto', ['createHash', 'createHmac', 'randomBytes', 'timingSafeEqual']),
    ...common.plugins,
  ],
});
await build({ ...common, entryPoints: ['src/index.ts'], outfile: 'dist/index.js' });
chmodSync(join(root, 'dist/mcp-workbench.cjs'), 0o755);
// It is read byte by byte as characters, which is faster; a literal of a regular expression is the one thing esbuild does not escape.
if (readFileSync(join(root, 'dist/program.cjs')).some((byte) => byte > 127))
  throw new Error('dist/program.cjs is not ASCII: write \\u escapes in regular expressions');
execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
leaveTypesOf(join(root, 'dist/types/index.d.ts'));
writeFileSync(
  join(root, 'dist/LICENSES.txt'),
  licences([program, ...libraries].flatMap(({ metafile }) => Object.keys(metafile.inputs))),
);

/** What tells a program from every other one, so that nothing is taken for its own that is not. */
function hashOf(path) {
  return createHash('sha256')
    .update(readFileSync(join(root, path)))
    .digest('hex');
}

/** Removes the declarations that the library's own do not lead to: no user of the package can import them. */
function leaveTypesOf(entry) {
  const used = new Set([entry]);
  for (const file of used)
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)\.ts['"]/g))
      used.add(join(dirname(file), `${path}.d.ts`));
  for (const file of readdirSync(dirname(entry), { recursive: true }).map((name) => join(dirname(entry), name)))
    if (file.endsWith('.d.ts') && !used.has(file)) rmSync(file);
}

/** The licence texts of every package that ended up in the bundle. */
function licences(inputs) {
  const packages = new Set(
    inputs.map((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]).filter((name) => name !== undefined),
  );
  const texts = [...packages].sort().map((name) => {
    const folder = join(root, 'node_modules', name);
    const { version: theirs, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license'].find((candidate) =>
      exists(join(folder, candidate)),
    );
    if (file === undefined) throw new Error(`${name} is bundled but has no licence file`);
    return `${name} ${theirs} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

function exists(path) {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}
