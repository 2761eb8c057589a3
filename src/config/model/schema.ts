/**
 * Every key of the configuration file, declared once: type, limits, default, meaning.
 * Keys of other clients are in foreign.ts.
 */

import { tokenAlgorithms } from '../../base/errors/token-algorithms.ts';
import { modes } from '../../base/mode.ts';
import { clientShape, nameLengths, pinnedShape, schemasShape } from './schema-clients.ts';
import { anything, boolean, choice, either, integer, list, object, record, type TypeOf, text } from './schema-dsl.ts';
import { limitsShape } from './schema-limits.ts';
import { searchShape } from './schema-search.ts';
import { toolShape } from './schema-tools.ts';

/** Longer timers fire at once. */
const maxTimerMs = 2_147_483_647;

const transportDoc =
  'Usually left out: a `command` is started and spoken to over stdio, a `url` is reached over HTTP. `sse` is the old transport of 2024-11-05; without it, the Workbench tries that transport when the server understands nothing newer. `transport` and `type` mean the same.';

export const localTransports = ['stdio', 'local'] as const;
const remoteTransports = ['http', 'sse', 'streamable-http', 'streamableHttp', 'streamable_http', 'remote'] as const;
const transports = [...localTransports, ...remoteTransports] as const;

export const keyAlgorithms = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'] as const;
export type KeyAlgorithm = (typeof keyAlgorithms)[number];

const sharings = ['shared', 'perSession', 'perCall'] as const;
export type Sharing = (typeof sharings)[number];

export const starts = ['lazy', 'eager'] as const;
export type Start = (typeof starts)[number];

export const oauthShape = object(
  'oauth',
  {
    issuer: text({
      doc: 'The only authorization server to use. Needed when it is on this machine or in a private network, or when it uses several hosts.',
    }),
    clientId: text({
      doc: 'Id of a client that is registered at the authorization server. Default: the Workbench registers itself.',
    }),
    clientSecret: text({ doc: 'Its secret. Never printed.' }),
    clientMetadataUrl: text({
      doc: 'Address of a client metadata document, used as the client id where the authorization server accepts one.',
    }),
    scopes: either(
      [text({ doc: 'Scopes, separated by spaces.' }), list(text({ doc: 'A scope.' }), { doc: 'Scopes.' })],
      {
        doc: 'Scopes to ask for, as a list or separated by spaces. Default: what the server says it needs.',
      },
    ),
    grant: choice(['authorization_code', 'client_credentials'], {
      doc: '`authorization_code` (default): a person signs in with `mcp-workbench auth login`. `client_credentials`: the client signs in by itself.',
    }),
    privateKeyFile: text({
      doc: 'File with the private key (PEM or JWK) that the client authenticates with, instead of a secret. The path is relative to the folder of the configuration.',
    }),
    algorithm: choice(keyAlgorithms, { doc: 'Algorithm of the signature. Default: one that fits the key.' }),
    redirectPort: integer({
      min: 1,
      max: 65_535,
      doc: 'Port of `http://127.0.0.1:<port>/callback`, to which the browser sends the answer. Default: any free port.',
    }),
  },
  { doc: 'How to sign in to a server with a `url`. Usually not needed: the server says where to sign in.' },
);

const toolsShape = record(toolShape, { doc: 'By the own name of a tool, or a pattern.' });

/** How a server is reached. */
const reach = {
  command: text({
    doc: 'Program to start. A path such as `./server.js` is relative to the folder of the file; a bare name is looked up on the PATH.',
  }),
  args: list(text({ doc: 'One argument, passed on as it is.' }), { doc: 'Arguments of the command.' }),
  env: record(text({ doc: 'Value.' }), {
    doc: 'Variables for the process, on top of the few that every server inherits. Wins over `envFile`.',
  }),
  envFile: either([text({ doc: 'Path.' }), list(text({ doc: 'Path.' }), { doc: 'Paths; later ones win.' })], {
    doc: 'File with `NAME=value` lines, or a list of such files, relative to the folder of the file. Its names also serve `${NAME}` in this server when the environment does not have them.',
  }),
  cwd: text({ doc: 'Folder the process starts in. Default: the folder of the file.' }),
  url: text({ doc: 'Address of a server that is reached over HTTP, instead of `command`.' }),
  headers: record(text({ doc: 'Value.' }), { doc: 'HTTP headers sent to `url`. Never printed.' }),
  oauth: oauthShape,
  transport: choice(transports, { doc: transportDoc }),
  type: choice(transports, { doc: transportDoc }),
};

/** How it is run. */
const manner = {
  disabled: boolean({ default: false, doc: 'Keeps the entry, but does not use the server.' }),
  timeoutMs: integer({
    min: 1,
    max: maxTimerMs,
    default: 600_000,
    doc: 'How long a call may go without an answer or a sign of progress.',
  }),
  startTimeoutMs: integer({
    min: 1,
    max: maxTimerMs,
    default: 60_000,
    doc: 'How long the server may take to start. A first start with `npx` or `uvx` downloads a package.',
  }),
  start: choice(starts, {
    doc: '`lazy` (default): started when it is first needed. `eager`: started as soon as the Workbench serves, and kept running.',
  }),
  idleMs: integer({
    min: 1_000,
    max: maxTimerMs,
    doc: 'How long the server may run without being used; then it is stopped. Its tools stay listed, and the next call starts it. Default: it is not stopped.',
  }),
  sharing: choice(sharings, {
    doc: 'Which clients share one running server. `shared`: all clients. `perSession`: every client has its own. `perCall`: every call has its own, which ends with the call. Default: shared, until a server of protocol 2025-11-25 or older asks its client a question; a question must not reach another client, so from then on every client has its own.',
  }),
};

export const instanceShape = object(
  'instance',
  { ...reach, ...manner, description: text({ doc: 'What this one is for. A model reads this to choose.' }) },
  {
    doc: 'One of several instances of a server: the keys in which it differs from the others. `env` and `headers` are added to those of the server.',
  },
);

export const serverShape = object(
  'server',
  {
    ...reach,
    toolFilters: list(text({ doc: 'Name or pattern.' }), {
      doc: 'Tools to keep: names, or patterns with `*`; `!` in front leaves out. Default: `["*"]`, all of them. For tools only; prompts and resources have the next two keys.',
    }),
    tools: either([list(text({ doc: 'Name or pattern.' }), { doc: 'Read as `toolFilters`.' }), toolsShape], {
      doc: 'How its tools are shown, by the name that the server gives them, or by patterns with `*`: renamed, described in other words, hidden, with fixed arguments. Remove an entry to undo it. A list is read as `toolFilters`.',
    }),
    promptFilters: list(text({ doc: 'Name or pattern.' }), {
      doc: 'The same for prompts. Default: all of them.',
    }),
    resourceFilters: list(text({ doc: 'URI or pattern.' }), {
      doc: 'The same for resources, by the URI that the server gives them, and for resource templates. A client can read only what is kept, whether it is listed or not. Default: all of them.',
    }),
    ...manner,
    prefix: boolean({
      default: true,
      doc: 'Mode `flat` only: `false` shows the tools and prompts of this server under their own names and its resources under their own URIs.',
    }),
    instances: record(instanceShape, {
      doc: 'Several instances of this server, such as accounts, databases or regions, by name. Each is started by itself; their tools are shown once, with an argument that selects the instance.',
    }),
    instanceArgument: text({ doc: 'Name of that argument. Default: `instance`.' }),
    defaultInstance: text({ doc: 'The instance for calls that do not name one. Default: a call has to name one.' }),
    description: text({
      doc: 'What the server is good for. In a plain file in mode `meta` it describes the toolbox of the server; otherwise it is for people.',
    }),
  },
  { doc: 'One MCP server: how to start it, or where to reach it.' },
);

export const toolboxShape = object(
  'toolbox',
  {
    description: text({ default: '', doc: 'What the toolbox is good for. A model reads this to choose.' }),
    mcpServers: record(serverShape, { doc: 'Servers of this toolbox.' }),
    servers: list(text({ doc: 'Name of a server.' }), {
      doc: 'Names of servers from the top-level `mcpServers` that this toolbox also contains.',
    }),
    tools: record(toolsShape, {
      doc: 'How tools are shown in this toolbox, by the name of their server, then as in `tools` of a server, which this wins over.',
    }),
  },
  { doc: 'A named selection of servers whose tools are shown together.' },
);

export const httpShape = object(
  'http',
  {
    port: integer({
      min: 0,
      max: 65_535,
      doc: 'Port to listen on. Default: 3917, or the next free port unless you set a token. A port that you set is the only one tried. `--http=PORT` wins.',
    }),
    host: text({
      default: '127.0.0.1',
      doc: 'Address to listen on. The default can be reached from this machine only. `--host` wins.',
    }),
    allowedHosts: list(text({ doc: 'Name, or `name:port`.' }), {
      doc: 'Names under which clients reach the service, besides those of this machine. `--allow-host` adds to them.',
    }),
    allowedOrigins: list(text({ doc: 'Origin, such as `https://app.example`.' }), {
      doc: 'Origins that may send requests. `--allow-origin` adds to them.',
    }),
    publicUrl: text({
      doc: 'Address under which clients reach the service through a proxy, such as `https://host`. Its host is allowed, and tokens (`auth`) must be issued for it. Needed with `auth` when other machines can reach the service.',
    }),
    sse: boolean({
      default: false,
      doc: 'Also offers the HTTP+SSE transport of 2024-11-05 at `/sse`. `--sse` does the same.',
    }),
    maxBodyBytes: integer({
      min: 1_024,
      max: 1_073_741_824,
      default: 8_388_608,
      doc: 'Largest body of a request; a larger one is answered with status 413.',
    }),
  },
  { doc: 'How `serve --http` listens. This key does not switch HTTP on.' },
);

export const authShape = object(
  'auth',
  {
    issuer: text({
      doc: 'Address of the issuer, exactly as its tokens name it in `iss`. Its keys are found by discovery (RFC 8414 or OpenID Connect).',
    }),
    audience: text({
      doc: 'Further values that `aud` of a token may have. Default: only the address of the endpoint, such as `https://host/mcp`.',
    }),
    jwksUri: text({ doc: 'Address of the keys, for an issuer without discovery.' }),
    scopes: list(text({ doc: 'One scope.' }), { doc: 'Scopes that every token must have. Default: none.' }),
    allToolboxes: boolean({
      default: false,
      doc: 'Lets every accepted token use every toolbox. Otherwise a token needs the scope `toolbox:<name>` for each.',
    }),
    algorithms: list(choice(tokenAlgorithms, { doc: 'Name of an algorithm.' }), {
      doc: 'Signatures to accept. Default: all of them.',
    }),
  },
  {
    doc: 'The issuer whose tokens the HTTP endpoints accept (OAuth 2). With this key, the Workbench does not make a token of its own.',
  },
);

export const resultsShape = object(
  'results',
  {
    maxTokens: integer({
      min: 0,
      max: 10_000_000,
      doc: 'How long the text of a tool result may be, in estimated tokens. A longer one is kept for its client, which gets a preview and a handle for the tool `read_result`; that tool is listed where this limit is in force. 0: results are passed on whole. Default: no limit, except in modes that fit results by themselves, where it is 10000.',
    }),
  },
  { doc: 'Long results of tools, cut to a preview.' },
);

export const configShape = object(
  'configuration',
  {
    $schema: text({ doc: 'Address of the JSON Schema, for your editor.' }),
    mode: choice(modes, {
      doc: 'What a client sees. `meta`: two tools that open toolboxes and use what is in them. `dynamic`: opening a toolbox adds its tools to the list; clients of protocol 2026-07-28, which wants constant lists, see `meta` instead. `flat`: all tools of all servers at once. `search`: a constant list of tools that find, describe and use the tools of all servers. `auto`: what fits the client: all tools, under short names, for clients that search tools themselves and for small catalogs, else `search`; see `clients`. Default: `meta` for a file with toolboxes, else `flat`. `--mode` wins.',
    }),
    separator: text({
      default: ':',
      doc: 'Mode `flat` only: the text between server and tool in a public name. It must not be empty or contain white space. `--separator` wins.',
    }),
    maxNameLength: integer({
      ...nameLengths,
      doc: 'Longest public name; longer ones are shortened. Default: no limit.',
    }),
    safeNames: boolean({
      default: false,
      doc: 'Builds public names from letters, digits and `_` only, for clients that refuse other characters.',
    }),
    schemas: schemasShape,
    pinned: pinnedShape,
    clients: record(clientShape, {
      doc: 'What single clients are shown, by their id, in any mode: `{"cursor": {"mode": "flat", "pinned": ["github/create_issue"]}}`.',
    }),
    startWaitMs: integer({
      min: 0,
      max: maxTimerMs,
      default: 10_000,
      doc: 'How long the first list waits for servers that are still starting.',
    }),
    keepCatalog: boolean({
      default: true,
      doc: 'Keeps what servers list between runs, so that the next run can show it before they are started.',
    }),
    pageSize: integer({ min: 1, max: 1_000_000, default: 10_000, doc: 'Most entries in one page of a list.' }),
    mcpServers: record(serverShape, { doc: 'The servers, by name.' }),
    servers: record(serverShape, { doc: 'The name that VS Code uses for `mcpServers`; read as `mcpServers`.' }),
    inputs: anything({ doc: 'Questions that VS Code asks its user. Ignored: use `${NAME}` and set the variable.' }),
    toolboxes: record(toolboxShape, {
      doc: 'The toolboxes, by name. The toolbox `default` holds the servers of `mcpServers` that no toolbox names.',
    }),
    http: httpShape,
    auth: authShape,
    search: searchShape,
    limits: limitsShape,
    results: resultsShape,
  },
  { doc: 'The whole file.' },
);

/** A configuration file as a value, before it is checked or completed. */
export type ConfigFile = TypeOf<typeof configShape>;
