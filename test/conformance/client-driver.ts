/**
 * What the suite starts as "the client": the Workbench with the suite's server behind it and a client before it that does what
 * the scenario wants done. The suite judges what the Workbench sends.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Era } from './measurement.ts';
import { type NorthClient, startNorthClient } from './north-client.ts';

type Json = Record<string, unknown>;

const { DRIVER_ERA = 'legacy', DRIVER_PROGRAM = '', DRIVER_FOLDER = '' } = process.env;
const { MCP_CONFORMANCE_SCENARIO: scenario = '', MCP_CONFORMANCE_CONTEXT: contextText = '{}' } = process.env;
const context = JSON.parse(contextText) as Json;
const url = process.argv[2] ?? '';
const folder = mkdtempSync(join(DRIVER_FOLDER, 'driver-'));

/** A call that never ends must end before the suite loses its patience. */
setTimeout(() => process.exit(3), 25_000).unref();

const actions = new Map<string, (client: NorthClient) => Promise<void>>([
  ['tools_call', (client) => must(client, 'add_numbers', { a: 5, b: 3 })],
  ['elicitation-sep1034-client-defaults', (client) => must(client, 'test_client_elicitation_defaults')],
  ['sse-retry', (client) => must(client, 'test_reconnection')],
  [
    'http-standard-headers',
    async (client) => {
      await must(client, 'test_headers');
      await must(client, 'my-hyphenated-tool');
    },
  ],
  [
    'http-custom-headers',
    async (client) => {
      for (const { name, arguments: args } of context.toolCalls as { name: string; arguments: Json }[])
        await must(client, name, args);
    },
  ],
  [
    'http-invalid-tool-headers',
    async (client) => {
      for (const { name } of await client.listTools()) await client.call(String(name), { region: 'here', value: 'x' });
    },
  ],
  [
    'sep-2322-client-request-state',
    async (client) => {
      const names = ['echo_state', 'no_state', 'unrelated', 'no_result_type'];
      for (const name of names) await client.call(`test_mrtr_${name}`, {}).catch(() => {});
    },
  ],
  [
    'json-schema-2020-12-preservation',
    async (client) => {
      const tools = await client.listTools();
      const { inputSchema } = tools.find(({ name }) => name === 'json_schema_2020_12_tool') ?? {};
      await must(client, 'json_schema_echo', { schema: inputSchema });
    },
  ],
  [
    'auth/authorization-server-migration',
    async (client) => {
      for (let times = 0; times < 3; times++) await must(client, 'test-tool');
    },
  ],
]);

const client = await startNorthClient(DRIVER_ERA as Era, [DRIVER_PROGRAM, '--config', writeConfig(), 'serve'], {
  WORKBENCH_STATE: join(folder, 'state'),
});
try {
  await client.listTools();
  const callTool = (found: NorthClient) => must(found, 'test-tool');
  await (actions.get(scenario) ?? (scenario.startsWith('auth/') ? callTool : undefined))?.(client);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
} finally {
  await client.close();
}

async function must(client: NorthClient, name: string, args: Json = {}): Promise<void> {
  const result = await client.call(name, args);
  if (result.isError === true) throw new Error(JSON.stringify(result));
}

function writeConfig(): string {
  mkdirSync(join(folder, 'state'));
  const oauth = toOAuth();
  const server = { url, prefix: false, ...(oauth === undefined ? {} : { oauth }) };
  const path = join(folder, 'workbench.json');
  writeFileSync(path, JSON.stringify({ mode: 'flat', mcpServers: { suite: server } }));
  return path;
}

/** What a person would write into the configuration for such a server; usually nothing. */
function toOAuth(): Json | undefined {
  if (scenario === 'auth/basic-cimd')
    return { clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' };
  const { client_id: clientId, client_secret: clientSecret, private_key_pem: key } = context;
  if (clientId === undefined) return undefined;
  if (scenario === 'auth/pre-registration') return { clientId, clientSecret };
  const grant = 'client_credentials';
  if (key === undefined) return { grant, clientId, clientSecret };
  writeFileSync(join(folder, 'key.pem'), String(key));
  return { grant, clientId, privateKeyFile: join(folder, 'key.pem'), algorithm: context.signing_algorithm };
}
