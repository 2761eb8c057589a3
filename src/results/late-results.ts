/** The store of held results, made by the first result that is held: most runs hold none. */
import { createResultStore, type ResultStore, type StoreOptions } from './result-store.ts';

export function createLateResults(options: StoreOptions): ResultStore {
  let store: ResultStore | undefined;
  return {
    hold(client, text) {
      store ??= createResultStore(options);
      return store.hold(client, text);
    },
    drop: (handle) => store?.drop(handle),
    find: async (client, handle) => store?.find(client, handle),
    close: () => store?.close(),
  };
}
