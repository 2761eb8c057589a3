/**
 * The code of the thread that runs an embedding package: computing a vector takes tens of milliseconds, during which a thread can
 * do nothing else. It is plain CommonJS text, because the thread is started without the files of the program. It answers
 * `{ id, texts }` with `{ id, vectors }` or `{ id, error }`.
 */
export const workerCode = `'use strict';
const { parentPort, workerData } = require('node:worker_threads');
const { pathToFileURL } = require('node:url');

const load = (path) => import(pathToFileURL(path).href);
const findMember = (module, name) => module[name] ?? module.default?.[name];

async function start() {
  const module = await load(workerData.module);
  const init = findMember(module, 'initModel');
  if (typeof init === 'function') {
    if (workerData.weights === undefined) throw new Error('it needs a package with weights');
    const source = findMember(await load(workerData.weights), 'modelSource');
    if (source === undefined) throw new Error('the package with the weights has no "modelSource"');
    const model = await init(source);
    return (texts) => model.embed(texts);
  }
  const embed = findMember(module, 'embed') ?? module.default;
  if (typeof embed !== 'function') throw new Error('it exports neither "embed" nor "initModel"');
  return embed;
}

const started = start();
started.catch(() => {});
let last = Promise.resolve();
parentPort.on('message', ({ id, texts }) => {
  last = last.then(async () => {
    try {
      const embed = await started;
      const vectors = [];
      for (const vector of await embed(texts)) vectors.push(Float32Array.from(vector));
      parentPort.postMessage({ id, vectors });
    } catch (error) {
      parentPort.postMessage({ id, error: String(error?.message ?? error) });
    }
  });
});
`;
