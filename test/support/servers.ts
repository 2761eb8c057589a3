/** Where the servers that tests talk to are: our fixtures and the reference servers from npm. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const fixtures = join(dirname(fileURLToPath(import.meta.url)), '../fixtures/servers');
const require = createRequire(import.meta.url);

/** How one server is started; has the shape of an entry of `mcpServers`. */
export interface ServerStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export type FixtureName =
  | 'raw-legacy'
  | 'raw-modern'
  | 'sdk-modern'
  | 'sdk-dual'
  | 'hostile'
  | 'leaky'
  | 'telling'
  | 'crash-once'
  | 'raw-asking'
  | 'task-legacy'
  | 'task-modern'
  | 'replay';
export type ReferenceName = 'everything' | 'filesystem' | 'memory';

/** A fixture server with its options, which its head comment lists. */
export function fixture(name: FixtureName, options: Readonly<Record<string, string | number>> = {}): ServerStart {
  const args = Object.entries(options).map(([option, value]) => `${option}=${value}`);
  return { command: process.execPath, args: [join(fixtures, `${name}.mjs`), ...args] };
}

/** A reference server from npm. */
export function reference(name: ReferenceName, ...args: string[]): ServerStart {
  const path = require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);
  return { command: process.execPath, args: [path, ...args] };
}

/** The same server as a grandchild behind a wrapper. */
export function wrapped(kind: 'node' | 'sh', { command, args, ...rest }: ServerStart): ServerStart {
  const [wrapper, script] = kind === 'node' ? [process.execPath, 'wrapper.mjs'] : ['sh', 'wrapper.sh'];
  return { command: wrapper, args: [join(fixtures, script), command, ...args], ...rest };
}
