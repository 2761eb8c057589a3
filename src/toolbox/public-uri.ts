/**
 * Tells the URIs of servers apart in public: a label of the server is put in front, so that two servers may have the same URI and
 * the way back needs no memory. The label is only put before or into literal text, so expanding a template and adding the label
 * commute. URIs that clients may fetch themselves (`http:`, `https:`) stay as they are.
 */
import { modeFacts } from '../base/mode.ts';
import type { Config } from '../config/model/config.ts';

export interface UriMap {
  /** The public form of a URI, or URI template, of the server with this key. */
  wrap(key: string, uri: string): string;
  /** The same, labelled with any scheme: to name one of several owners. */
  label(key: string, uri: string): string;
  /** Whether a URI has the form of a labelled one, even if no server has that label. */
  isLabelled(uri: string): boolean;
  /** The server and the URI behind a labelled URI. */
  unwrap(uri: string): { readonly key: string; readonly uri: string } | undefined;
}

/** Keeps its scheme, because hosts recognise it: the label goes into the authority. */
const appPrefix = 'ui://';
const fetchable = /^https?:/i;
const labelled = /^[a-z][a-z0-9.-]*(?=\+)/;

export function buildUriMap({ servers, mode }: Pick<Config, 'servers' | 'mode'>): UriMap {
  const labels = buildLabels([...servers.keys()]);
  const keys = new Map([...labels].map(([key, label]) => [label, key]));
  const label = (key: string, uri: string): string => {
    const own = labels.get(key) ?? encodeLabel(key);
    return isApp(uri) ? `${appPrefix}${own}+${uri.slice(appPrefix.length)}` : `${own}+${uri}`;
  };
  return {
    label,
    wrap(key, uri) {
      const kept = modeFacts[mode].publicNames === 'server' && servers.get(key)?.prefix === false;
      return kept || fetchable.test(uri) ? uri : label(key, uri);
    },
    isLabelled: (uri) => labelled.test(isApp(uri) ? uri.slice(appPrefix.length) : uri),
    unwrap(uri) {
      const prefix = isApp(uri) ? appPrefix : '';
      const rest = uri.slice(prefix.length);
      const own = labelled.exec(rest)?.[0];
      const key = own === undefined ? undefined : keys.get(own);
      if (own === undefined || key === undefined) return undefined;
      return { key, uri: `${prefix}${rest.slice(own.length + 1)}` };
    },
  };
}

function isApp(uri: string): boolean {
  return uri.slice(0, appPrefix.length).toLowerCase() === appPrefix;
}

const encodedPrefix = 'wb-';

/** One label per server: its key in lower case where that can begin a scheme and is unique, otherwise the bytes of the key. */
function buildLabels(keys: readonly string[]): ReadonlyMap<string, string> {
  const claims = new Map<string, number>();
  for (const key of keys) claims.set(key.toLowerCase(), (claims.get(key.toLowerCase()) ?? 0) + 1);
  return new Map(
    keys.map((key) => {
      const lower = key.toLowerCase();
      const plain = /^[a-z][a-z0-9.-]*$/.test(lower) && !lower.startsWith(encodedPrefix);
      const own = key === lower || claims.get(lower) === 1;
      return [key, plain && own ? lower : encodeLabel(key)];
    }),
  );
}

function encodeLabel(key: string): string {
  return `${encodedPrefix}${Buffer.from(key, 'utf8').toString('hex')}`;
}
