/** Finds the proxy for a request to a server, and the header that the proxy needs. */
import { toMessage, WorkbenchError } from '../../base/errors/errors.ts';
import { findProxy, type ProxyEnvironment, toBasic } from '../../net/proxy.ts';

export interface ServerProxy {
  /** Without user name and password. */
  readonly url: URL;
  /** Value of `Proxy-Authorization`; a secret. */
  readonly authorization: string | undefined;
}

/** Undefined for a direct connection. */
export function findServerProxy(target: URL, env: ProxyEnvironment): ServerProxy | undefined {
  const url = getProxy(target, env);
  if (url === undefined) return undefined;
  return { url: new URL(url.origin), authorization: toBasic(url) };
}

function getProxy(target: URL, env: ProxyEnvironment): URL | undefined {
  try {
    return findProxy(target, env);
  } catch (error) {
    const { fix } = error instanceof WorkbenchError ? error : { fix: undefined };
    throw new WorkbenchError('WB1304', toMessage(error), fix === undefined ? {} : { fix });
  }
}
