/**
 * Cuts the program into files, so that a start loads only what it needs: `program.cjs` with everything that serving a pipe needs,
 * and parts that are loaded by the first call into them. Each module lies in exactly one file. A part finds modules of another
 * file through the function `give` that every file exports.
 */
import { existsSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { build } from 'esbuild';

export const mainFile = 'program.cjs';

/**
 * The modules that a part begins with. Modules that are imported with `import()` are listed without names. The others are imported
 * as usual; only the named functions may be, and the first call of one loads the part. A module that two parts need lies in the
 * first of them.
 */
const parts = {
  links: { 'src/downstream/link/create-link.ts': ['createLink'] },
  modern: { 'src/serve/modern/modern.ts': ['createModernEdge'] },
  servers: {
    'src/downstream/connection/connect.ts': ['connect'],
    'src/downstream/link/connect-dedicated.ts': ['connectLane'],
    'node_modules/cross-spawn/index.js': [],
  },
  // For a configuration that changes how tools are shown.
  shape: {
    'src/config/read/read-tools.ts': ['readToolShapes'],
    'src/config/read/read-instances.ts': ['readInstances'],
    'src/toolbox/shape/shape-placement.ts': ['shapePlacement', 'shapeMerged', 'shapeSearched'],
    'src/toolbox/shape/merge-instances.ts': ['mergeInstances'],
    'src/toolbox/shape/own-arguments.ts': ['toOwnCall', 'toUnselected'],
  },
  remote: { 'src/downstream/connection/connect-http.ts': [] },
  http: {
    'src/serve/http/serve-http.ts': [],
    'src/serve/http/auth/issuer-authenticator.ts': [],
    'src/cli/service/service-door.ts': [],
  },
  oauth: {
    'src/downstream/oauth/oauth-credentials.ts': [],
    'src/downstream/oauth/sign-in-context.ts': [],
    'src/downstream/oauth/tokens/token-store.ts': [],
  },
  // With the OAuth library, which a server without a sign-in does not need.
  'sign-in': {
    'src/downstream/oauth/renew.ts': [],
    'src/downstream/oauth/sign-ins.ts': [],
    'src/net/open-browser.ts': [],
  },
  // Mode `search`; the index and the ranking when the first client searches.
  search: { 'src/front/modes/search.ts': ['createSearchSession'] },
  ranking: { 'src/search/open-tool-search.ts': [] },
  // Only for a configuration with `search`.
  embeddings: {
    'src/config/read/read-search.ts': ['readSearch'],
    'src/search/embed/open-semantic-search.ts': [],
  },
  // What clients differ in, for mode `auto` and for `clients` of the configuration.
  clients: {
    'src/config/read/read-clients.ts': ['readClients'],
    'src/front/surface/choose-surface.ts': ['createSurfaceChooser'],
    'src/front/surface/identify-client.ts': ['findClientNamed', 'identifyClient', 'isClientId', 'listClientIds'],
    'src/front/surface/report-clients.ts': ['reportClients'],
  },
  portable: { 'src/toolbox/portable-schema.ts': ['toPortableSchema'] },
  commands: {
    'src/cli/commands/attach.ts': ['attach'],
    'src/cli/commands/auth.ts': ['auth'],
    'src/cli/commands/call.ts': ['call'],
    'src/cli/commands/check.ts': ['check'],
    'src/cli/commands/config.ts': ['config'],
    'src/cli/commands/daemon.ts': ['daemon'],
    'src/cli/commands/demo.ts': ['demo'],
    'src/cli/commands/list.ts': ['list'],
    'src/cli/commands/ps.ts': ['ps'],
    'src/cli/commands/status.ts': ['status'],
    'src/cli/commands/stop.ts': ['stop'],
    'src/cli/commands/tools.ts': ['tools'],
    'src/cli/args/help.ts': ['toCommandHelp', 'toGeneralHelp'],
  },
  results: {
    'src/results/fit-result.ts': ['fitResult'],
    'src/results/read-result.ts': ['readResult', 'readHeldResource'],
    'src/results/result-store.ts': ['createResultStore'],
  },
  jose: { 'node_modules/jose/dist/webapi/index.js': [] },
};

/** Node modules that cost more to load than the rest of a start; a part may have them. */
const slowBuiltins = /^(node:)?(http|https|http2|tls|dns|dns\/promises|zlib|worker_threads)$/;

const toFileName = (part) => `${part}.cjs`;
/** The files that a start needs before a server is started: for them late functions are late. Other parts load what they name. */
const leanFiles = new Set([mainFile, toFileName('links')]);
const lateNames = new Map(Object.values(parts).flatMap((modules) => Object.entries(modules)));

/**
 * The files of the program, as options for esbuild: for each its name, the text of its entry and the plugin that leaves out what
 * lies in another file.
 */
export async function planFiles({ root, entry, options }) {
  const missing = [...lateNames.keys()].find((path) => !existsSync(join(root, path)));
  if (missing !== undefined) throw new Error(`scripts/parts.mjs names ${missing}, which does not exist`);
  const graph = await readGraph({ root, entry, options });
  const owners = findOwners(graph, entry);
  const wanted = findWanted(graph, owners);
  const exported = await readExports({ root, options, paths: [...wanted] });
  return [...new Set(owners.values())].map((file) => ({
    file,
    contents: toEntry(
      file === mainFile ? entry : undefined,
      [...wanted].filter((path) => owners.get(path) === file).map((path) => [path, exported.get(path)]),
    ),
    plugin: elsewhere({ root, file, owners, exported }),
  }));
}

/** Which module imports which, and how. */
async function readGraph({ root, entry, options }) {
  const starts = [entry, ...lateNames.keys()];
  const { metafile } = await build({ ...options, entryPoints: starts, outdir: 'out', write: false, metafile: true });
  const graph = new Map(Object.entries(metafile.inputs).map(([path, { imports }]) => [path, imports]));
  for (const [path, imports] of graph)
    for (const { path: target, kind, external } of imports)
      if (kind === 'dynamic-import' && !external && !lateNames.has(target))
        throw new Error(`${path} imports ${target} late, but no part in scripts/parts.mjs begins with it (${root})`);
  return graph;
}

function findOwners(graph, entry) {
  const owners = new Map();
  const take = (path, file) => {
    if (owners.has(path)) return;
    owners.set(path, file);
    for (const { path: target, kind, external } of graph.get(path) ?? []) {
      if (leanFiles.has(file) && external && slowBuiltins.test(target))
        throw new Error(`${path} would load ${target} at every start: make it late in scripts/parts.mjs`);
      if (!external && kind !== 'dynamic-import' && !(leanFiles.has(file) && lateNames.has(target))) take(target, file);
    }
  };
  take(entry, mainFile);
  for (const [part, modules] of Object.entries(parts))
    for (const path of Object.keys(modules)) take(path, toFileName(part));
  return owners;
}

/** Modules that are wanted outside of the file they lie in. */
function findWanted(graph, owners) {
  const wanted = new Set(lateNames.keys());
  for (const [path, imports] of graph)
    for (const { path: target, external } of imports)
      if (!external && owners.get(target) !== owners.get(path)) wanted.add(target);
  return wanted;
}

async function readExports({ root, options, paths }) {
  const { metafile } = await build({
    ...options,
    entryPoints: paths.map((path) => join(root, path)),
    ...{ bundle: true, packages: 'external', format: 'esm', outdir: 'out', write: false, metafile: true },
  });
  const found = Object.values(metafile.outputs).map(({ entryPoint, exports }) => [entryPoint, exports]);
  return new Map(found.filter(([path]) => path !== undefined));
}

/** What is given to other files is looked up when they ask: making it ready would cost every start. */
function toEntry(main, modules) {
  const quoted = JSON.stringify;
  const imports = modules.map(([path, names], at) =>
    names.length === 1 && names[0] === 'default'
      ? `import m${at}_default from ${quoted(`./${path}`)};`
      : `import { ${names.map((name) => `${name} as m${at}_${name}`).join(', ')} } from ${quoted(`./${path}`)};`,
  );
  const cases = modules.map(([path, names], at) => {
    const members = names.map((name) => `get ${name}() { return m${at}_${name}; }`);
    return `case ${quoted(path)}: return { ${members.join(', ')} };`;
  });
  return [
    ...(main === undefined ? [] : [`export * from ${quoted(`./${main}`)};`]),
    ...imports,
    `export function give(path) { switch (path) { ${cases.join('\n')} default: throw new Error('no module ' + path); } }`,
  ].join('\n');
}

/** Leaves out of a file what lies in another one. */
function elsewhere({ root, file, owners, exported }) {
  const isDefault = (path) => exported.get(path).join() === 'default';
  const load = (path) => `require(${JSON.stringify(`./${owners.get(path)}`)}).give(${JSON.stringify(path)})`;
  return {
    name: 'elsewhere',
    setup(setup) {
      setup.onResolve({ filter: /.*/ }, async ({ path, kind, importer, namespace, resolveDir, pluginData }) => {
        if (namespace === 'late' || namespace === 'elsewhere') return { path, external: true };
        if (pluginData === 'resolved' || kind === 'entry-point' || path.startsWith('node:')) return undefined;
        const found = await setup.resolve(path, { kind, importer, resolveDir, pluginData: 'resolved' });
        if (found.external || found.errors.length > 0 || !isAbsolute(found.path)) return undefined;
        const module = relative(root, found.path).split(sep).join('/');
        // jsonc-parser makes tables for formatting, which nobody asks it for, as soon as it is loaded.
        const pure = module.startsWith('node_modules/jsonc-parser/') ? { sideEffects: false } : {};
        if (owners.get(module) === file) return { path: found.path, ...pure };
        const late = kind !== 'dynamic-import' && leanFiles.has(file) && lateNames.has(module);
        return { path: module, namespace: late ? 'late' : 'elsewhere' };
      });
      setup.onLoad({ filter: /.*/, namespace: 'elsewhere' }, ({ path }) => ({
        contents: `module.exports = ${load(path)}${isDefault(path) ? '.default' : ''};`,
      }));
      setup.onLoad({ filter: /.*/, namespace: 'late' }, ({ path }) => ({
        contents: lateNames
          .get(path)
          .map((name) => `export const ${name} = (...given) => ${load(path)}.${name}(...given);`)
          .join('\n'),
      }));
    },
  };
}
