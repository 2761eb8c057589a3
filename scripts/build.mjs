/** Builds what is published: the program (a small file that starts at once, and the files it loads), the library (one file), its types, and the licences of what is bundled. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { mainFile, planFiles } from './parts.mjs';

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
      contents: [
        'let loaded;',
        ...names.map(
          (name) =>
            `export const ${name} = (...given) => (loaded ??= require(${JSON.stringify(path)})).${name}(...given);`,
        ),
      ].join('\n'),
      loader: 'js',
    }));
  },
});

const cryptoFunctions = ['createHash', 'createHmac', 'hash', 'randomBytes', 'randomUUID', 'timingSafeEqual'];
/** A start can do without them; a part loads them with the rest of it. */
const lateForMain = [
  lateFunctions('crypto', cryptoFunctions),
  lateFunctions('fs/promises', ['lstat', 'readdir', 'rm']),
];
const small = { ...common, minifySyntax: true, minifyWhitespace: true };
const forProgram = {
  ...small,
  format: 'cjs',
  // A script has no `import.meta`.
  define: { ...common.define, 'import.meta.dirname': '__ownFolder' },
  charset: 'ascii',
  // In a script `import()` would have to be provided for, which Node calls experimental, on stderr.
  supported: { 'dynamic-import': false },
  plugins: [lateFunctions('child_process', ['spawn', 'execFile'])],
};
// Each file is one function, as a script and as a CommonJS module: src/boot/load-program.ts loads it as either.
const files = await planFiles({
  root,
  entry: 'src/cli/entry/start.ts',
  options: { ...forProgram, banner: {}, plugins: [] },
});
const built = await Promise.all(
  files.map(({ file, contents, plugin }) =>
    build({
      ...forProgram,
      stdin: { contents, resolveDir: root, sourcefile: file },
      outfile: `dist/${file}`,
      banner: { js: '(typeof module==="undefined"?{}:module).exports=(function(require,module,__ownFolder){' },
      footer: { js: '})' },
      plugins: [plugin, ...forProgram.plugins, ...(file === mainFile ? lateForMain : [])],
    }),
  ),
);
const hashes = Object.fromEntries(files.map(({ file }) => [file, hashOf(`dist/${file}`)]));
/** The shim needs nothing of the program; the entry loads it for `attach` only. */
const attachElsewhere = {
  name: 'attach-elsewhere',
  setup(setup) {
    setup.onResolve({ filter: /\/attach-process\.ts$/ }, () => ({ path: './attach.cjs', external: true }));
  },
};
// Node loads CommonJS some milliseconds sooner than an ES module.
const forEntry = {
  ...small,
  format: 'cjs',
  banner: {},
  // As `require`: Node's loader of ES modules takes longer to load than the shim.
  supported: { 'dynamic-import': false },
  plugins: [lateFunctions('child_process', ['spawn']), lateFunctions('crypto', cryptoFunctions), ...common.plugins],
};
await build({
  ...forEntry,
  entryPoints: ['src/cli/entry/bin.ts'],
  outfile: 'dist/mcp-workbench.cjs',
  define: { ...common.define, __FILES__: JSON.stringify(hashes) },
  plugins: [attachElsewhere, ...forEntry.plugins],
});
await build({ ...forEntry, entryPoints: ['src/cli/entry/attach-process.ts'], outfile: 'dist/attach.cjs' });
await build({ ...common, entryPoints: ['src/index.ts'], outfile: 'dist/index.js' });
chmodSync(join(root, 'dist/mcp-workbench.cjs'), 0o755);
// They are read byte by byte as characters, which is faster; a literal of a regular expression is the one thing esbuild does not escape.
for (const { file } of files)
  if (readFileSync(join(root, 'dist', file)).some((byte) => byte > 127))
    throw new Error(`dist/${file} is not ASCII: write \\u escapes in regular expressions`);
execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
leaveTypesOf(join(root, 'dist/types/index.d.ts'));
writeFileSync(join(root, 'dist/LICENSES.txt'), licences(built.flatMap(({ metafile }) => Object.keys(metafile.inputs))));

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
