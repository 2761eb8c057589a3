/** Finds the proxy for a request to a server, and the header that the proxy needs. */
import { toMessage, WorkbenchError } from '../../base/errors.ts';
import { type Environment, findProxy } from '../../net/proxy.ts';

export interface ServerProxy {
  /** Without user name and password. */
  readonly url: URL;
  /** Value of `Proxy-Authorization`; a secret. */
  readonly authorization: string | undefined;
}

/** Undefined for a direct connection. */
export function findServerProxy(target: URL, env: Environment): ServerProxy | undefined {
  const url = getProxy(target, env);
  if (url === undefined) return undefined;
  const { username, password } = url;
  const given = username !== '' || password !== '';
  const pair = `${decode(username)}:${decode(password)}`;
  return {
    url: new URL(url.origin),
    authorization: given ? `Basic ${Buffer.from(pair).toString('base64')}` : undefined,
  };
}

function getProxy(target: URL, env: Environment): URL | undefined {
  try {
    return findProxy(target, env);
  } catch (error) {
    const { fix } = error instanceof WorkbenchError ? error : { fix: undefined };
    throw new WorkbenchError('WB1304', toMessage(error), fix === undefined ? {} : { fix });
  }
}

/** A text that is not a valid escape stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
