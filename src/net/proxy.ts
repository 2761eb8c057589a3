/** Finds the proxy that the environment names for an address, by the variables that most programs understand. */
import { WorkbenchError } from '../base/errors/errors.ts';
import { mayBeLoopback } from '../base/loopback.ts';

export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/** Undefined for a direct connection. A proxy is never asked for this machine: it would look on its own. */
export function findProxy(url: URL, env: ProxyEnvironment): URL | undefined {
  if (mayBeLoopback(url.hostname)) return undefined;
  const scheme = url.protocol.slice(0, -1);
  const names = [`${scheme}_proxy`, `${scheme.toUpperCase()}_PROXY`, 'all_proxy', 'ALL_PROXY'];
  const name = names.find((candidate) => env[candidate]);
  if (name === undefined || isExempt(url, env.no_proxy ?? env.NO_PROXY ?? '')) return undefined;
  return getProxy(name, env[name] ?? '');
}

/** Going on without the named proxy could bypass a route that a person chose on purpose. */
function getProxy(name: string, text: string): URL {
  const written = text.includes('://') ? text : `http://${text}`;
  const proxy = URL.canParse(written) ? new URL(written) : undefined;
  if (proxy?.protocol === 'http:' || proxy?.protocol === 'https:') return proxy;
  const fix = `Give ${name} an address such as http://proxy.example:3128, or add the host to NO_PROXY.`;
  throw new WorkbenchError('WB1309', `the proxy in the variable ${name} is not an http or https address`, { fix });
}

/** `NO_PROXY`: names with everything below them, each optionally with a port; `*` matches all. */
function isExempt(url: URL, list: string): boolean {
  const host = url.hostname.replace(/\.$/, '');
  const port = url.port === '' ? (url.protocol === 'http:' ? '80' : '443') : url.port;
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', wantedPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (wantedPort !== undefined && !entry.includes('::') && wantedPort !== port) return false;
      const suffix = (entry.includes('::') ? entry : name).replace(/^\*?\./, '');
      return host === suffix || host === `[${suffix}]` || host.endsWith(`.${suffix}`);
    });
}

/** The header value for the user name and password in an address; a secret. Undefined when it has neither. */
export function toBasic({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  return `Basic ${Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64')}`;
}

/** An escape that is not valid stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
