/** What a server that refused a request says about signing in: the Bearer challenge of `WWW-Authenticate`. */

export interface Challenge {
  /** Address of the protected resource metadata (RFC 9728). */
  readonly resourceMetadata?: string;
  /** Scopes that would do, separated by spaces. */
  readonly scope?: string;
  readonly error?: string;
}

/** Longer headers are cut: everything that matters is short. */
const longest = 8_192;
const token = /[!#$%&'*+.^_`|~0-9A-Za-z-]/;

export function parseChallenge(header: string | undefined): Challenge {
  const challenges = parseBearer((header ?? '').slice(0, longest));
  const params = challenges.find((each) => each.has('resource_metadata')) ?? challenges[0] ?? new Map<string, string>();
  const [resourceMetadata, scope, error] = ['resource_metadata', 'scope', 'error'].map((name) => params.get(name));
  return {
    ...(resourceMetadata === undefined ? {} : { resourceMetadata }),
    ...(scope === undefined ? {} : { scope }),
    ...(error === undefined ? {} : { error }),
  };
}

/** Several challenges may share one header, and commas separate both them and their parameters. */
function parseBearer(text: string): Map<string, string>[] {
  const found: Map<string, string>[] = [];
  let current: Map<string, string> | undefined;
  let at = 0;
  const skip = (characters: string) => {
    while (at < text.length && characters.includes(text.charAt(at))) at++;
  };
  const readToken = () => {
    const start = at;
    while (at < text.length && token.test(text.charAt(at))) at++;
    return text.slice(start, at);
  };
  while (at < text.length) {
    skip(' \t,');
    const word = readToken();
    skip(' \t');
    if (word !== '' && text[at] !== '=') {
      current = word.toLowerCase() === 'bearer' ? new Map() : undefined;
      if (current !== undefined) found.push(current);
      continue;
    }
    at++;
    skip(' \t');
    const quoted = text[at] === '"';
    const value = quoted ? readQuoted() : readToken();
    // A name given twice keeps its first value.
    if (word !== '' && current?.has(word.toLowerCase()) === false) current.set(word.toLowerCase(), value);
  }
  return found;

  function readQuoted(): string {
    let value = '';
    for (at++; at < text.length && text[at] !== '"'; at++) {
      if (text[at] === '\\') at++;
      value += text.charAt(at);
    }
    at++;
    return value;
  }
}
