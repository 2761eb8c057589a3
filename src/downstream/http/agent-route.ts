/** How requests reach an address: which kind of connection, proxy and agent. Decided once for each address. */
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { memoize } from '../../base/async/memoize.ts';
import { defined } from '../../base/json/defined.ts';
import { type ProxyEnvironment, toBasic } from '../../net/proxy.ts';
import { toSocketAddress } from '../../net/tunnel.ts';
import { findServerProxy, type ServerProxy } from './proxy.ts';
import { TunnelAgent } from './tunnel.ts';

export interface AgentRoute {
  /** Set when the proxy reads the request; not for a tunnel through it. */
  readonly proxy: ServerProxy | undefined;
  begin(
    options: Pick<RequestOptions, 'method'> & { readonly headers: Readonly<Record<string, string>> },
  ): ClientRequest;
}

export interface AgentRoutes {
  to(url: URL): AgentRoute;
  /** Ends every connection. */
  close(): void;
}

export function createAgentRoutes(env: ProxyEnvironment, { idleMs }: { readonly idleMs: number }): AgentRoutes {
  // `timeout` ends only unused connections. The system's own probes find dead peers.
  const options = { keepAlive: true, timeout: idleMs, keepAliveInitialDelay: 30_000 };
  const agents = new Map<string, HttpAgent>();
  const getAgent = (key: string, create: () => HttpAgent) => {
    const agent = agents.get(key) ?? create();
    agents.set(key, agent);
    return agent;
  };
  const plan = (url: URL): AgentRoute => {
    const proxy = findServerProxy(url, env);
    const { protocol, hostname, port, path, auth } = urlToHttpOptions(url);
    const address = { protocol, hostname, port, path, auth };
    if (url.protocol === 'https:') {
      const agent = getAgent(`https ${proxy?.url.href ?? ''}`, () =>
        proxy === undefined ? new HttpsAgent(options) : new TunnelAgent(proxy, options),
      );
      return { proxy: undefined, begin: (asked) => httpsRequest({ ...address, ...asked, agent }) };
    }
    if (proxy === undefined) {
      const agent = getAgent('http', () => new HttpAgent(options));
      return { proxy, begin: (asked) => httpRequest({ ...address, ...asked, agent }) };
    }
    const secure = proxy.url.protocol === 'https:';
    const agent = getAgent(`plain ${proxy.url.href}`, () =>
      secure ? new HttpsAgent(options) : new HttpAgent(options),
    );
    const request = secure ? httpsRequest : httpRequest;
    const fixed = { ...toSocketAddress(proxy.url), agent, path: `${url.origin}${url.pathname}${url.search}` };
    // Node sends the user name and password itself where it is given the address.
    const first = { host: url.host, ...defined({ authorization: toBasic(url) }) };
    const last = defined({ 'proxy-authorization': proxy.authorization });
    return {
      proxy,
      begin: ({ method, headers }) => request({ ...fixed, method, headers: { ...first, ...headers, ...last } }),
    };
  };

  return {
    to: memoize(plan),
    close() {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}
