/** What a server that refused a request says about signing in: the Bearer challenge of `WWW-Authenticate`. */
import { defined } from '../../../base/json/defined.ts';

export interface Challenge {
  /** Address of the protected resource metadata (RFC 9728). */
  readonly resourceMetadata?: string;
  /** Scopes that would be enough, separated by spaces. */
  readonly scope?: string;
  readonly error?: string;
}

/** Longer headers are cut: everything that matters is short. */
const maxLength = 8_192;
/** Text in quotes that belongs to nothing, a parameter with its value (quoted or not), or a scheme. */
const part =
  /"(?:[^"\\]|\\.)*"?|([\w!#$%&'*+.^`|~-]+)(?:[ \t]*(=)[ \t]*(?:"((?:[^"\\]|\\.)*)"?|([\w!#$%&'*+.^`|~-]*)))?/g;

/** Several challenges may share one header, and commas separate both them and their parameters. */
export function parseChallenge(header: string | undefined): Challenge {
  const found: Map<string, string>[] = [];
  let current: Map<string, string> | undefined;
  for (const [, word = '', equals, quoted, plain = ''] of (header ?? '').slice(0, maxLength).matchAll(part)) {
    const name = word.toLowerCase();
    if (equals !== undefined) {
      // A name that is given twice keeps its first value.
      if (current?.has(name) === false) current.set(name, quoted?.replace(/\\(.)/g, '$1') ?? plain);
    } else if (name !== '') {
      current = name === 'bearer' ? new Map() : undefined;
      if (current !== undefined) found.push(current);
    }
  }
  const params = found.find((each) => each.has('resource_metadata')) ?? found[0];
  const [resourceMetadata, scope, error] = ['resource_metadata', 'scope', 'error'].map((name) => params?.get(name));
  return defined({ resourceMetadata, scope, error });
}
