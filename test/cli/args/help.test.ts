import { describe, expect, it } from 'vitest';
import { commandNames } from '../../../src/cli/args/command-table.ts';
import { flagTable } from '../../../src/cli/args/flag-table.ts';
import { toCliReference, toCommandHelp, toGeneralHelp } from '../../../src/cli/args/help.ts';

describe('help', () => {
  it('shows the whole program on one screen', () => {
    expect(toGeneralHelp('0.1.0')).toMatchInlineSnapshot(`
      "mcp-workbench 0.1.0 – one MCP server in front of all your MCP servers

      Usage
        mcp-workbench [flags]      stdin is a pipe: serve it; in a terminal: show what is configured
        mcp-workbench <command> …  one of these:

      Commands
        serve                       be an MCP server on stdin and stdout (what clients start), or over HTTP
        attach                      like serve on stdin and stdout, but share one set of servers with other clients
        daemon                      run the servers for all clients that attach; usually started by the first of them
        list                        show how each server is doing
        tools [server|@toolbox|server.tool]
                                    show the tools as signatures, of all servers, one server or one toolbox; or one tool whole
        search <words …>            find tools by words, as a model finds them in mode search, with scores
        tokens                      show what the tools cost a model: in each mode, by client, server and toolbox
        call <tool|server.tool|toolbox/server/tool> [key=value …]
                                    call one tool and print its answer
        check [server]              check the configuration and every server, step by step, with what to do
        config <validate>           check the configuration file only: show every mistake with line and column, and start
                                    nothing
        auth <login|logout|status> [server]
                                    sign in to a server with a "url", sign out, or show the sign-ins
        ps                          show the Workbenches that run now, with the servers they have started
        stop [pid|all]              end a running Workbench and its servers, or one of its servers
        demo                        serve a small built-in configuration, make one call through it, and show how to connect a
                                    client
        help [command]              explain the program or one command

      Flags
        --config PATH          the configuration file; wins over WORKBENCH_CONFIG and over files that are found automatically
        --trust-config         also use a configuration that other users can change; WORKBENCH_TRUST_CONFIG=1 does the same
        --mode MODE            meta, dynamic, flat, search or auto; clients of protocol 2026-07-28 see dynamic as meta
        --separator S          the text between server and tool in flat mode; ":" unless the file says otherwise
        --log-file PATH        append a log to this file (with --debug: a detailed one)
        --client ID            the client this is for, such as cursor: in mode auto, it decides how tools are shown
        --no-watch             do not watch the configuration file; it is read again at SIGHUP only
        --name N               the server name announced to clients
        --version [V]          alone: print the version of this program; with a value: the version announced to clients
        --http [PORT]          serve over HTTP; on port 3917, or the next free one, unless a port is given
        --host ADDRESS         the address to listen on; 127.0.0.1 unless the file says otherwise
        --stdio                with --http: serve stdin and stdout too, and end when that client leaves
        --token T              the token HTTP clients must send as "Authorization: Bearer T"; other users of this machine can
                               see it
        --token-file PATH      the same, read from a file; WORKBENCH_TOKEN is the same as a variable
        --no-auth              let every program on this machine in, without a token
        --sse                  also offer the HTTP+SSE transport of protocol 2024-11-05 at /sse
        --allow-host NAME      a name under which HTTP clients may reach this service; can be repeated
        --allow-origin ORIGIN  a web origin that may send requests; can be repeated
        --debug                detailed log on stderr, stack traces of unexpected failures
        -q, --quiet            no progress, notes or hints on stderr
        --no-color             no colours; NO_COLOR does the same
        -h, --help             explain the program, or the command it stands with

      More about one command: mcp-workbench <command> --help
      "
    `);
  });

  it('explains one command with its flags and examples', () => {
    expect(toCommandHelp('call')).toMatchInlineSnapshot(`
      "mcp-workbench call <tool|server.tool|toolbox/server/tool> [key=value …]
        call one tool and print its answer
        Goes through the daemon or the HTTP service of this configuration when one runs, so that servers keep their state;
        otherwise the server is started for this call alone. The name of the tool is enough when only one server has it.
        key=value   a string, or JSON where the tool wants a number, boolean, list or object
        key:=JSON   always JSON
        key=@file   the text of a file

      Flags
        --config PATH    the configuration file; wins over WORKBENCH_CONFIG and over files that are found automatically
        --trust-config   also use a configuration that other users can change; WORKBENCH_TRUST_CONFIG=1 does the same
        --mode MODE      meta, dynamic, flat, search or auto; clients of protocol 2026-07-28 see dynamic as meta
        --separator S    the text between server and tool in flat mode; ":" unless the file says otherwise
        --log-file PATH  append a log to this file (with --debug: a detailed one)
        --fresh          start the servers anew: use neither a running Workbench nor what earlier runs have stored
        --args JSON      all arguments of the tool as one JSON object; "-" reads it from stdin
        --save DIR       write images, audio and other binary content to files in this folder
        --json           one JSON value on stdout, errors as one JSON line on stderr
        --timeout MS     give up the call after this many milliseconds

      Flags of every command
        --debug      detailed log on stderr, stack traces of unexpected failures
        -q, --quiet  no progress, notes or hints on stderr
        --no-color   no colours; NO_COLOR does the same
        -h, --help   explain the program, or the command it stands with

      Examples
        mcp-workbench call files.read_file path=README.md
            arguments as words
        mcp-workbench call files.read_file --args '{"path":"README.md"}'
            arguments as JSON
        mcp-workbench call writing/notes/add_note text=@note.txt
            the complete address, a value from a file
        mcp-workbench call screenshot --save shots
            a name that only one server has; the picture goes into a file
      "
    `);
  });

  it.each(commandNames)('of %s has at least one example, and its lines fit a wide terminal', (name) => {
    const text = toCommandHelp(name);
    expect(text).toContain('Examples\n  mcp-workbench');
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(130);
  });

  it('and the reference page name every command and every flag', () => {
    const page = toCliReference();
    for (const name of commandNames) expect(page).toContain(`### ${name}\n`);
    for (const name of Object.keys(flagTable)) expect(page).toContain(`--${name}`);
    expect(page).toContain('| 130 | interrupted with Ctrl-C |');
    expect(page.endsWith('|\n')).toBe(true);
  });
});
