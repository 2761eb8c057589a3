/** `auth`: sign in to servers with a URL, sign out, and show the sign-ins. */
import { defined } from '../../base/json/defined.ts';
import {
  exitCode,
  type ServerDefinition,
  type SignInStatus,
  type SignIns,
  toOwnCommand,
  toPrintable,
  WorkbenchError,
} from '../../index.ts';
import { readLines } from '../call/read-lines.ts';
import { paintMark } from '../output/server-report.ts';
import { toTable } from '../output/table.ts';
import { serverNames, withServer } from '../run/select-config.ts';
import { type Context, createConfigRedactor, loadCommandConfig } from '../run/session.ts';

const actions = new Map([
  ['login', signIn],
  ['logout', signOut],
  ['status', showStatus],
]);

export async function auth(context: Context): Promise<number> {
  const { io, args } = context;
  const [action = '', server] = args.positionals;
  const run = actions.get(action);
  if (run === undefined) {
    const fix = `Write login, logout or status, as in: ${toOwnCommand(['auth', 'status'])}`;
    throw new WorkbenchError('WB1901', `Unknown action "${toPrintable(action, 40)}" for auth.`, { fix });
  }
  if (io.stateDir === undefined) {
    const why = io.stateFault === undefined ? '' : `: ${io.stateFault}`;
    throw new WorkbenchError('WB1920', `There is no folder to store a sign-in in${why}.`);
  }
  const config = loadCommandConfig(context);
  if (server === undefined && action !== 'status') {
    const lines = serverNames(config).map((name) => toOwnCommand(['auth', action], [name]));
    const fix =
      lines.length === 0 ? 'The configuration has no servers.' : `Write one of: ${lines.slice(0, 5).join(', ')}`;
    throw new WorkbenchError('WB1901', `auth ${action} needs the name of a server.`, { fix });
  }
  const { servers, leftOut } = server === undefined ? config : withServer(config, server);
  const [fault] = server === undefined ? [] : [...(leftOut?.servers.values() ?? [])].map((each) => each.fault);
  if (fault !== undefined) throw new WorkbenchError(fault.code, fault.message, { fix: fault.fix });
  const signIns = await io.library.openSignIns({ stateDir: io.stateDir, redactor: createConfigRedactor(config) });
  return run(context, [...servers.values()], signIns);
}

async function signIn(context: Context, servers: readonly ServerDefinition[], signIns: SignIns): Promise<number> {
  const { io, args, output } = context;
  const opens = !args.has('no-browser');
  const statuses = await Promise.all(servers.map((definition) => signIns.status(definition)));
  // A server without a sign-in reports that itself: a terminal would not help.
  const possible = statuses.every(({ state }) => state !== 'none');
  if (opens && possible && !(io.tty.stdin && io.tty.stderr)) {
    throw new WorkbenchError('WB1901', 'auth login opens a browser, and this is not a terminal.', {
      fix: 'Add --no-browser: then it prints the address to open.',
    });
  }
  const say = (text: string) => io.stderr.write(`${text}\n`);
  for (const definition of servers) {
    const status = await signIns.login(definition, {
      signal: io.signal,
      ...(opens ? {} : { pasted: readLines(io.stdin) }),
      onUnusable: () => say('That is not the address that this sign-in ended at; paste the whole address.'),
      onWait: () => say('Another sign-in to this server is under way; waiting for it.'),
      show(url, issuer, { scopes, sentTo }) {
        say(`Sign in to ${toPrintable(definition.name)} at ${toPrintable(new URL(issuer).host)}:`);
        say(
          `  Requested rights: ${scopes.length === 0 ? 'those that the server chooses' : toPrintable(scopes.join(', '), 300)}`,
        );
        say(`  The token is sent to: ${toPrintable(sentTo)}, and to no other address`);
        say(`\n  ${url.href}\n`);
        if (opens) void io.library.openBrowser(url).then((opened) => opened || say('Open this address in a browser.'));
        else say('Open this address; if the browser cannot reach this machine, paste the address it ends at here.');
      },
    });
    if (args.has('json')) output.json({ schemaVersion: 1, server: status });
    else output.line(`${output.paint.green('✓')} signed in to ${toPrintable(definition.name)}${toDetails(status)}`);
  }
  return exitCode.ok;
}

async function signOut(context: Context, servers: readonly ServerDefinition[], signIns: SignIns): Promise<number> {
  const { args, output } = context;
  for (const definition of servers) {
    const { wasSignedIn, revoked, note } = await signIns.logout(definition);
    const name = toPrintable(definition.name);
    if (args.has('json'))
      output.json({
        schemaVersion: 1,
        server: definition.name,
        wasSignedIn,
        revoked,
        ...defined({ note }),
      });
    else if (!wasSignedIn) output.line(`${name} was not signed in`);
    else output.line(`${output.paint.green('✓')} signed out of ${name}`);
    if (wasSignedIn && note !== undefined) output.note(`The tokens were removed here, but ${toPrintable(note)}.`);
  }
  return exitCode.ok;
}

async function showStatus(context: Context, servers: readonly ServerDefinition[], signIns: SignIns): Promise<number> {
  const { args, output } = context;
  const statuses = await Promise.all(servers.map((definition) => signIns.status(definition)));
  if (args.has('json')) {
    output.json({ schemaVersion: 1, servers: statuses });
    return exitCode.ok;
  }
  const rows = statuses
    .filter(({ state }) => state !== 'none' || statuses.length === 1)
    .map((status) => ({
      mark: marks[status.state],
      paintMark: (mark: string) => paintMark(output.paint, mark),
      cells: [toPrintable(status.server), words[status.state], toDetails(status).replace(/^, /, '')],
    }));
  const columns = [{ title: 'NAME', flexible: true }, { title: 'STATE' }, { title: 'DETAILS', flexible: true }];
  if (rows.length === 0) output.line('No server needs a sign-in: all are local, or have a token in "headers".');
  else for (const line of toTable({ width: output.width, columns, rows })) output.line(line);
  const missing = statuses.find(({ state }) => state === 'signed-out' || state === 'expired');
  if (missing !== undefined)
    output.note(`If the server needs a sign-in: ${toOwnCommand(['auth', 'login'], [missing.server])}`);
  return exitCode.ok;
}

const marks = { 'signed-in': '✓', expired: '!', 'signed-out': '–', none: '–' } as const;
const words = {
  'signed-in': 'signed in',
  expired: 'expired',
  'signed-out': 'not signed in',
  none: 'needs no sign-in',
} as const;

function toDetails({ issuer, scopes = [], expiresAt, renewable }: SignInStatus): string {
  const until = expiresAt === undefined || renewable ? undefined : `until ${expiresAt}`;
  const at = issuer === undefined ? undefined : `at ${toPrintable(new URL(issuer).host)}`;
  const rights = scopes.length === 0 ? undefined : `scopes ${toPrintable(scopes.join(' '), 200)}`;
  const renewed = renewable ? 'renewed automatically' : undefined;
  return [at, rights, until, renewed].flatMap((part) => (part === undefined ? [] : [`, ${part}`])).join('');
}
