/** `serve --http`: turns the flags into options of the library, and builds the text for the person who started it. */
import { defined } from '../../base/json/defined.ts';
import {
  type Config,
  createTokenAuthenticator,
  type HttpService,
  openAuthenticator,
  type Redactor,
  type ServeHttpOptions,
  usualHttpPort,
  type Workbench,
  WorkbenchError,
} from '../../index.ts';
import type { Args } from '../args/args.ts';
import type { FlagName } from '../args/flag-table.ts';
import { pluralize } from '../output/pluralize.ts';
import type { Context } from '../run/session.ts';
import { toHttpClientEntry } from './client-entry.ts';
import { resolveToken, type Token } from './http-token.ts';

export interface HttpStart {
  readonly config: Config;
  readonly workbench: Workbench;
  readonly redactor: Redactor;
  readonly identity: { readonly name?: string; readonly version?: string };
}

/** `banner` is shown once everything has started. */
export interface StartedHttp extends HttpService {
  readonly banner: readonly string[];
}

export async function startHttp(context: Context, start: HttpStart): Promise<StartedHttp> {
  const { io, args, output } = context;
  const { config, workbench, redactor, identity } = start;
  if (config.auth !== undefined) checkNoToken(args);
  const port = findPort(args);
  const token = config.auth === undefined ? resolveToken(io, args, port.port ?? config.http.port) : undefined;
  if (token?.warning !== undefined) output.note(token.warning);
  // Without a token of ours, the issuer in the configuration decides.
  const authenticator = config.auth === undefined ? { authenticator: toAuthenticator(token, redactor) } : {};
  const service = await io.library.serveHttp({ workbench, ...authenticator, ...identity, ...toOptions(args), ...port });
  const wanted = config.http.port ?? usualHttpPort;
  const moved =
    port.port === undefined && config.http.port === undefined && service.port !== wanted
      ? [toMovedNote(wanted, service.port, token)]
      : [];
  const { openServiceDoor } = await import('./service-door.ts');
  const door = await openServiceDoor(context, { workbench, redactor });
  return {
    port: service.port,
    url: service.url,
    banner: [...moved, ...toBanner(context, start, { service, token })],
    async close() {
      await door?.close();
      await service.close();
    },
  };
}

function toMovedNote(wanted: number, port: number, token: Token | undefined): string {
  const own = token?.ours === true ? ', with its own token' : '';
  return `note port ${wanted} is in use by another program, which receives what clients send there; this service listens on ${port}${own}. Choose a port with --http=PORT.`;
}

/** A token that the user set is for one port only, so no other port may be taken instead. */
function toAuthenticator(token: Token | undefined, redactor: Redactor): NonNullable<ServeHttpOptions['authenticator']> {
  if (token === undefined) return openAuthenticator;
  const forPort = (port: number) => {
    const value = token.valueFor(port);
    redactor.learn('WORKBENCH_TOKEN', value);
    return createTokenAuthenticator(value);
  };
  return token.ours ? forPort : forPort(0);
}

const onlyOverHttp: readonly FlagName[] = [
  ...(['host', 'token', 'token-file', 'no-auth', 'sse', 'allow-host', 'allow-origin'] as const),
];

/** A flag without effect most likely means that --http was forgotten. */
export function checkHttpFlags(args: Args): void {
  const lonely = onlyOverHttp.find((flag) => args.has(flag));
  if (args.has('http') || lonely === undefined) return;
  throw new WorkbenchError('WB1901', `--${lonely} works only with --http.`, {
    fix: `Add --http, or leave out --${lonely}.`,
  });
}

/** With "auth", the issuer's tokens are the only way in; a second one would be forgotten and stay open. */
function checkNoToken(args: Args): void {
  const flag = (['token', 'token-file', 'no-auth'] as const).find((name) => args.has(name));
  if (flag === undefined) return;
  throw new WorkbenchError('WB1901', `--${flag} and "auth" of the configuration contradict each other.`, {
    fix: 'Leave one of them out.',
  });
}

function toOptions(args: Args): Pick<ServeHttpOptions, 'host' | 'client' | 'sse' | 'allowedHosts' | 'allowedOrigins'> {
  const [host, client] = [args.text('host'), args.text('client')];
  return {
    ...defined({ host, client }),
    ...(args.has('sse') ? { sse: true } : {}),
    allowedHosts: args.all('allow-host'),
    allowedOrigins: args.all('allow-origin'),
  };
}

function findPort(args: Args): { port?: number } {
  const text = args.text('http');
  if (text === undefined) return {};
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return { port };
  throw new WorkbenchError('WB1901', `--http: "${text}" is not a port.`, {
    fix: 'Use a port from 1 to 65535, or --http alone.',
  });
}

function toBanner(
  { io }: Context,
  { config }: HttpStart,
  { service, token }: { service: HttpService; token: Token | undefined },
): string[] {
  const boxes = [...config.toolboxes.keys()];
  const entry = toHttpClientEntry(service.url, token && (token.ours ? token.valueFor(service.port) : '<your token>'));
  const paste = ['To use it in a client, paste:', entry];
  if (!io.tty.stderr) return [`mcp-workbench listens at ${service.url}`, ...paste];
  const count = `${pluralize(config.servers.size, 'server')}, ${pluralize(boxes.length, 'toolbox', 'toolboxes')}`;
  const shown = boxes.slice(0, maxShown).map((name) => `  ➜  Toolbox    ${service.url}/${name}`);
  const more = boxes.length > maxShown ? [`  ➜  …          ${boxes.length - maxShown} more toolboxes`] : [];
  return [
    `  mcp-workbench ${io.library.version}   ready in ${Math.round(performance.now())} ms   ${count}`,
    `  ➜  MCP        ${service.url}          all toolboxes`,
    ...shown,
    ...more,
    '',
    ...paste,
  ];
}

/** Longer lists push the rest off the screen. */
const maxShown = 12;
