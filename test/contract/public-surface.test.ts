import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorTable, exitCode } from '../../src/base/errors/errors.ts';
import { modes } from '../../src/base/mode.ts';
import { commandTable } from '../../src/cli/args/command-table.ts';
import { flagTable } from '../../src/cli/args/flag-table.ts';
import {
  authShape,
  configShape,
  httpShape,
  instanceShape,
  oauthShape,
  resultsShape,
  serverShape,
  toolboxShape,
} from '../../src/config/model/schema.ts';
import { clientShape } from '../../src/config/model/schema-clients.ts';
import { limitsShape } from '../../src/config/model/schema-limits.ts';
import { embeddingsShape, searchShape } from '../../src/config/model/schema-search.ts';
import { argumentShape, toolShape } from '../../src/config/model/schema-tools.ts';
import { useToolTool } from '../../src/front/model-text/meta-tools.ts';
import { readResultTool } from '../../src/front/model-text/read-result-tool.ts';
import { searchModeTools } from '../../src/front/model-text/search-tools.ts';
import { repoRoot } from '../support/program.ts';

const packageFile = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8'));

/** What others rely on. A change here is a decision: it goes into the changelog, and into docs/decisions when it breaks something. */
describe('the public surface', () => {
  it('the public surface of the library is these names', async () => {
    const library = await import(join(repoRoot, 'dist/index.js'));
    expect(Object.keys(library).sort()).toEqual([
      'ConfigError',
      'Workbench',
      'WorkbenchError',
      'checkSeparator',
      'createLog',
      'createRedactor',
      'createTokenAuthenticator',
      'createWorkbench',
      'errorTable',
      'exitCode',
      'findConfigFile',
      'findRunning',
      'isClientId',
      'judgeNames',
      'keepRunningRecord',
      'listClientIds',
      'listLeftOut',
      'loadConfig',
      'longestName',
      'nearestNames',
      'openAuthenticator',
      'openBrowser',
      'openSignIns',
      'parseConfig',
      'parseConfigValue',
      'refuseStdio',
      'reportClients',
      'serveHttp',
      'serveStdio',
      'stateDir',
      'stateOwnProgram',
      'stopRunning',
      'toJsonLine',
      'toOwnCommand',
      'toOwnName',
      'toPlainLine',
      'toPortableSchema',
      'toPrintable',
      'usualHttpPort',
      'version',
      'watchConfig',
    ]);
  });

  it('the public surface of the commands is these names and flags', () => {
    expect(Object.keys(commandTable)).toEqual([
      'serve',
      'attach',
      'daemon',
      'list',
      'tools',
      'call',
      'check',
      'config',
      'auth',
      'ps',
      'stop',
      'demo',
      'help',
    ]);
    expect(Object.keys(flagTable).sort()).toEqual([
      'allow-host',
      'allow-origin',
      'args',
      'client',
      'config',
      'debug',
      'exit-code',
      'fresh',
      'help',
      'host',
      'http',
      'idle-ms',
      'json',
      'log-file',
      'mode',
      'name',
      'no-auth',
      'no-browser',
      'no-color',
      'no-watch',
      'quiet',
      'renamed',
      'save',
      'separator',
      'server',
      'sse',
      'status',
      'stdio',
      'stop',
      'timeout',
      'token',
      'token-file',
      'trust-config',
      'version',
    ]);
  });

  it('the public surface of the exit codes is these numbers', () => {
    expect(exitCode).toEqual({
      ok: 0,
      unexpected: 1,
      usage: 2,
      signInNeeded: 3,
      unreachable: 4,
      toolFailed: 5,
      inUse: 7,
      interrupted: 130,
    });
  });

  it('the public surface of the error codes is these, and none is ever given another meaning', () => {
    const titles = Object.entries(errorTable).map(([code, { title, exit }]) => `${code} ${exit} ${title}`);
    expect(titles.sort()).toMatchInlineSnapshot(`
      [
        "WB1001 4 command not found",
        "WB1002 4 command cannot be executed",
        "WB1004 4 server exited before the handshake",
        "WB1005 4 server did not start in time",
        "WB1006 0 text on stdout is not a message",
        "WB1007 4 server refused the handshake",
        "WB1008 4 no protocol version in common",
        "WB1009 1 Node.js is too old",
        "WB1010 4 server ended during a call",
        "WB1011 5 call took too long",
        "WB1012 5 message too large",
        "WB1014 4 list could not be read",
        "WB1015 0 malformed entry in a list",
        "WB1016 4 server is disabled",
        "WB1017 4 too many copies of a server",
        "WB1018 4 server is down",
        "WB1019 4 server is busy",
        "WB1020 0 hidden characters in a list",
        "WB1021 0 tool over a limit",
        "WB1022 0 messages left out",
        "WB1023 4 entry starts the Workbench itself",
        "WB1024 4 tools cannot be listed",
        "WB1025 4 server ended",
        "WB1026 0 every client now has its own copy of the server",
        "WB1027 0 messages of a shared server withheld",
        "WB1102 2 variable is not set",
        "WB1104 2 envFile cannot be read",
        "WB1201 3 sign-in needed",
        "WB1202 3 sign-in failed",
        "WB1203 3 access refused",
        "WB1204 3 authorization server not usable",
        "WB1205 3 no client at the authorization server",
        "WB1206 3 answer to a sign-in refused",
        "WB1208 2 private key not usable",
        "WB1209 7 no port for the answer to a sign-in",
        "WB1301 7 port in use",
        "WB1302 4 host name not found",
        "WB1303 4 secure connection failed",
        "WB1304 4 proxy refuses the connection",
        "WB1305 4 server cannot be reached",
        "WB1306 4 not an MCP address",
        "WB1307 4 server answered with a failure",
        "WB1308 4 address refused",
        "WB1309 4 request to the authorization server failed",
        "WB1310 4 sign-in address refused",
        "WB1311 4 answer is not an MCP message",
        "WB1312 4 redirect not followed",
        "WB1313 2 address cannot be listened on",
        "WB1314 2 public address needed",
        "WB1315 0 wrong tokens",
        "WB1316 5 client message over a limit",
        "WB1317 5 server message with too many values",
        "WB1401 2 unknown key",
        "WB1402 0 key of another client",
        "WB1403 2 configuration is not valid JSON",
        "WB1405 2 wrong value",
        "WB1406 2 name not allowed",
        "WB1407 2 no configuration",
        "WB1408 2 unknown server in a toolbox",
        "WB1409 2 separator not allowed",
        "WB1410 2 part of the configuration is left out",
        "WB1412 0 restriction of another client is not enforced",
        "WB1413 2 others can change the configuration",
        "WB1414 2 not a regular file, or too large",
        "WB1701 0 two tools under one public name",
        "WB1702 0 separator outside the recommended characters",
        "WB1703 0 names with characters that clients refuse",
        "WB1704 0 names that are too long for clients",
        "WB1705 0 filter matches nothing",
        "WB1801 5 toolbox not found",
        "WB1802 5 server not found",
        "WB1803 5 tool not found",
        "WB1805 5 tool answered with an error",
        "WB1806 5 question no longer open",
        "WB1807 5 too many questions are open",
        "WB1808 5 unknown task",
        "WB1809 5 too many tasks are kept",
        "WB1835 0 pinned tool is not there",
        "WB1840 5 no such result",
        "WB1845 5 argument that the configuration decides about",
        "WB1846 0 tool cannot be shown as configured",
        "WB1847 0 entry in "tools" matches nothing",
        "WB1848 5 instance not selected",
        "WB1849 0 tool of an instance is shown by itself",
        "WB1901 2 wrong usage",
        "WB1902 4 process not ended",
        "WB1910 4 daemon is gone",
        "WB1911 7 daemon is already running",
        "WB1912 4 no place for a daemon",
        "WB1913 4 running Workbench has ended",
        "WB1914 2 argument that the tool does not accept",
        "WB1915 2 content cannot be saved",
        "WB1920 2 nothing is kept between runs",
        "WB1921 2 other users can change a file with a secret",
        "WB1999 1 unexpected failure",
      ]
    `);
  });

  it('the public surface of the configuration is these keys', () => {
    const keys = (shape: { members: object }) => Object.keys(shape.members).sort().join(' ');
    expect({
      file: keys(configShape),
      server: keys(serverShape),
      client: keys(clientShape),
      toolbox: keys(toolboxShape),
      tool: keys(toolShape),
      argument: keys(argumentShape),
      instance: keys(instanceShape),
      http: keys(httpShape),
      auth: keys(authShape),
      oauth: keys(oauthShape),
      search: keys(searchShape),
      embeddings: keys(embeddingsShape),
      limits: keys(limitsShape),
      results: keys(resultsShape),
    }).toMatchInlineSnapshot(`
      {
        "argument": "default description hidden value",
        "auth": "algorithms allToolboxes audience issuer jwksUri scopes",
        "client": "maxNameLength mode names pinned schemas",
        "embeddings": "apiKey model package queryPrefix timeoutMs toolPrefix url",
        "file": "$schema auth clients http inputs keepCatalog limits maxNameLength mcpServers mode pageSize pinned results safeNames schemas search separator servers startWaitMs toolboxes",
        "http": "allowedHosts allowedOrigins host maxBodyBytes port publicUrl sse",
        "instance": "args command cwd description disabled env envFile headers idleMs oauth sharing start startTimeoutMs timeoutMs transport type url",
        "limits": "callsPerServer httpConnections httpSessionIdleMs httpSessions httpStreams httpStreamsPerSession listItems listMs listPages messageBytes messageValues notificationsPerSecond pendingBytes requestBytes requestValues requestsPerClient schemaBytes schemaDepth stderrBytes",
        "oauth": "algorithm clientId clientMetadataUrl clientSecret grant issuer privateKeyFile redirectPort scopes",
        "results": "maxTokens",
        "search": "embeddings",
        "server": "args command cwd defaultInstance description disabled env envFile headers idleMs instanceArgument instances oauth prefix promptFilters resourceFilters sharing start startTimeoutMs timeoutMs toolFilters tools transport type url",
        "tool": "aliases annotations arguments description hidden name title",
        "toolbox": "description mcpServers servers tools",
      }
    `);
  });

  it('the public surface of the modes is these names', () => {
    expect(modes).toEqual(['meta', 'dynamic', 'flat', 'search', 'auto']);
  });

  it('the public surface of mode search is these tools with these arguments', () => {
    const tools = searchModeTools({ toolboxes: new Map(), mode: 'search' }).map(({ name, inputSchema }) => {
      const { properties, required } = inputSchema as { properties: object; required: string[] };
      return `${name} ${Object.keys(properties)
        .map((key) => (required.includes(key) ? key : `${key}?`))
        .join(' ')}`;
    });
    expect(tools).toEqual([
      'search_tools queries toolbox? limit?',
      'describe_tools tools format?',
      'open_toolbox toolbox filter? cursor?',
      'use_tool tool arguments?',
      'read_result handle range? grep? path?',
    ]);
  });

  it('the public surface of use_tool is this schema', () => {
    expect(useToolTool.inputSchema).toMatchObject({
      type: 'object',
      required: ['tool'],
      additionalProperties: false,
      properties: {
        tool: { type: 'object', required: ['toolbox', 'server', 'name'], additionalProperties: false },
        arguments: { type: 'object' },
      },
    });
  });

  it('the public surface of read_result is this schema', () => {
    expect(readResultTool).toMatchObject({
      name: 'read_result',
      inputSchema: {
        type: 'object',
        required: ['handle'],
        properties: {
          handle: { type: 'string' },
          range: { type: 'string' },
          grep: { type: 'string' },
          path: { type: 'string' },
        },
      },
    });
  });

  it('the public surface of the package is one program, one library, and nothing to install with it', () => {
    expect(packageFile.dependencies).toBeUndefined();
    expect(Object.keys(packageFile.optionalDependencies)).toEqual(['@napi-rs/keyring']);
    expect(packageFile.bin).toEqual({ 'mcp-workbench': 'dist/mcp-workbench.cjs' });
    expect(Object.keys(packageFile.exports)).toEqual(['.', './schema', './package.json']);
    expect(packageFile.engines).toEqual({ node: '>=20.19' });
    expect(packageFile.files).toEqual([
      'dist',
      'data',
      'demo',
      'schema',
      'docs/guide.md',
      'docs/reference',
      'README.md',
      'SECURITY.md',
      'CHANGELOG.md',
      'LICENSE',
    ]);
  });
});
