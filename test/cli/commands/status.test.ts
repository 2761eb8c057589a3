import { describe, expect, it } from 'vitest';
import { ConfigError, WorkbenchError } from '../../../src/index.ts';
import { fakeConfig, runFake } from '../fake-io.ts';

const tty = { stdin: true };
const problem = { severity: 'error', message: 'wrong', path: '', offset: 0, length: 1 } as const;

function missing(): never {
  throw new WorkbenchError('WB1407', 'no configuration; looked for\n  /x');
}

describe('the program in a terminal, without a command,', () => {
  it('shows what is configured and the next steps', async () => {
    const { code, stdout, configs } = await runFake([], { tty, config: fakeConfig() });
    expect([code, configs]).toEqual([0, []]);
    expect(stdout).toMatchInlineSnapshot(`
      "mcp-workbench 0.1.0 – one MCP server in front of all your MCP servers

        Config    /home/me/workbench.jsonc  (mode meta)
        Toolbox   code: github, files  – About code

        Next      mcp-workbench check     does every server work?
                  mcp-workbench tools     what do they offer?
                  mcp-workbench list      all of them at a glance

        For a client, paste:

          {
            "mcpServers": {
              "workbench": {
                "command": "/usr/bin/node",
                "args": [
                  "/opt/mcp-workbench.cjs",
                  "--config",
                  "/home/me/workbench.jsonc"
                ]
              }
            }
          }

      (An MCP client starts this program with a pipe as stdin and does not see this text.)
      "
    `);
  });

  it('says where a configuration was looked for and what to do when there is none', async () => {
    const { code, stdout } = await runFake([], { tty, config: missing });
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "mcp-workbench 0.1.0 – one MCP server in front of all your MCP servers

        no configuration; looked for
          /x

        Next      mcp-workbench check     once the file is there
        Or        mcp-workbench demo      see it work first

      (An MCP client starts this program with a pipe as stdin and does not see this text.)
      "
    `);
  });

  it.each([
    new ConfigError([{ ...problem, code: 'WB1402' }], { file: 'x.json', text: '{}' }),
    new WorkbenchError('WB1403', 'x.json is in UTF-16'),
  ])('reports a configuration that cannot be used and exits with 2 (%s)', async (error) => {
    const config = () => {
      throw error;
    };
    const { code, stderr } = await runFake([], { tty, config });
    expect([code, stderr.includes(error.message)]).toEqual([2, true]);
  });
});
