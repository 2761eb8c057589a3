import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { emptyListing } from '../../../src/catalog/listing.ts';
import { searchInstructions } from '../../../src/front/model-text/search-instructions.ts';
import { searchModeTools } from '../../../src/front/model-text/search-tools.ts';
import { parseConfigValue } from '../../../src/index.ts';
import { buildSnapshot } from '../../../src/workbench/view/snapshot.ts';
import type { WorkbenchView } from '../../../src/workbench/view/workbench-view.ts';

const names =
  'airtable antv-chart asana azure bitbucket brave-search brightdata browserbase chrome-devtools circleci cloudflare context7 digitalocean elasticsearch eslint figma firecrawl git github gitlab-legacy gitlab gmail google-calendar google-maps hubspot hyperbrowser jira kubernetes launchdarkly line-bot linear mobile mongodb ms-365 n8n neon netlify notion nx perplexity pinecone playwright postgres postman puppeteer shopify-dev slack tavily twilio xero stripe sentry todoist sequential-thinking filesystem memory supabase'.split(
    ' ',
  );

/** A workbench of plain servers; each is known to have so many tools, or is not known. */
function benchOf(servers: readonly string[], tools: number | undefined, description?: string): WorkbenchView {
  const entry = (command: string) => ({ command, ...(description === undefined ? {} : { description }) });
  const mcpServers = Object.fromEntries(servers.map((name) => [name, entry(name)]));
  const config = parseConfigValue({ mode: 'search', mcpServers }, { dir: '/', env: {} });
  const items = Array.from({ length: tools ?? 0 }, (_, at) => ({ name: `t${at}`, shown: `t${at}`, definition: {} }));
  const listing = { ...emptyListing, tools: items };
  const catalog = new Map(tools === undefined ? [] : servers.map((name) => [name, listing]));
  const statusOf = (name: string) => ({ name, state: 'ready', notes: [], instructions: `Use ${name} with care.` });
  return { config, snapshot: buildSnapshot(config, catalog), statusOf } as unknown as WorkbenchView;
}

function costOf(bench: WorkbenchView): number {
  const tools = searchModeTools(bench.config).map(({ name, description, inputSchema }) =>
    JSON.stringify({ name, description, inputSchema }),
  );
  return [...tools, searchInstructions(bench)].reduce((sum, text) => sum + countTokens(text), 0);
}

describe('what a model reads first in mode search', () => {
  it.each([undefined, 1, 43, 350])('takes at most 700 tokens for 57 servers with %s tools each', (tools) => {
    expect(costOf(benchOf(names, tools))).toBeLessThanOrEqual(700);
  });

  it('takes at most 5 tokens more for each further server, and no more for servers with many tools', () => {
    const [fewer, all] = [costOf(benchOf(names.slice(0, 37), 43)), costOf(benchOf(names, 43))];
    expect((all - fewer) / 20).toBeLessThanOrEqual(5);
    expect(all - costOf(benchOf(names, 1))).toBeLessThanOrEqual(60);
  });

  it('names every toolbox with the number of its tools', () => {
    const text = searchInstructions(benchOf(names, 43));
    for (const name of names) expect(text).toContain(` ${name}:43`);
  });

  it('says what toolboxes are good for, in the words of the configuration or of the only server', () => {
    expect(searchInstructions(benchOf(['slack', 'git'], 7, 'Team chat'))).toContain('\n- slack (7): Team chat\n');
    expect(searchInstructions(benchOf(['slack', 'git'], 7))).toContain('\n- slack (7): "Use slack with care."\n');
  });

  it.each([
    [
      'many toolboxes',
      benchOf(
        Array.from({ length: 600 }, (_, at) => `${names[at % 57]}-number-${at}`),
        43,
      ),
    ],
    ['long descriptions', benchOf(names, 43, 'word '.repeat(200))],
  ])('fits into 2,048 bytes with %s', (_case, bench) => {
    expect(Buffer.byteLength(searchInstructions(bench))).toBeLessThanOrEqual(2_048);
    for (const { description } of searchModeTools(bench.config))
      expect(Buffer.byteLength(String(description))).toBeLessThanOrEqual(2_048);
  });
});
