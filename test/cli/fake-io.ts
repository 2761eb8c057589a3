/** A command line without a process: streams that remember, a library that answers what the test says. */
import { PassThrough } from 'node:stream';
import { main } from '../../src/cli/entry/main.ts';
import type { Io, Library, StopReason } from '../../src/cli/run/io.ts';
import { defaultLimits } from '../../src/config/model/schema-limits.ts';
import type {
  Config,
  Entry,
  HiddenTool,
  JsonObject,
  Log,
  ReshapedTool,
  ServerStatus,
  ShapeProblem,
  Toolbox,
  Workbench,
} from '../../src/index.ts';

/** What is wrong with the text `{"mode": 3}`. */
export const modeProblem = {
  code: 'WB1405',
  severity: 'error',
  message: '"mode" must be a string',
  path: 'mode',
  offset: 9,
  length: 1,
} as const;

export interface FakeOptions {
  readonly config?: Config | (() => Config);
  readonly statuses?: readonly ServerStatus[];
  readonly entries?: readonly Entry[];
  readonly collisions?: readonly string[];
  readonly idleFilters?: readonly string[];
  readonly reshaped?: readonly ReshapedTool[];
  readonly hiddenTools?: readonly HiddenTool[];
  readonly shapeProblems?: readonly ShapeProblem[];
  /** Names of tools that filters leave out. */
  readonly leftOut?: readonly string[];
  call?(address: Entry['address'], request: Parameters<Workbench['call']>[1]): Promise<JsonObject>;
  /** Waits for servers that are starting. */
  settled?(limitMs: number | undefined): Promise<void>;
  serveStdio?: Library['serveStdio'];
  onWorkbench?(given: Parameters<Library['createWorkbench']>[0]): void;
  readonly stdin?: string;
  readonly tty?: Partial<Io['tty']>;
  readonly columns?: number;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly program?: Partial<Io['program']>;
  readonly library?: Partial<Library>;
  readonly stateDir?: string;
}

export interface FakeRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** What the command asked of the library, in order. */
  readonly asked: string[];
  /** The configurations that workbenches were made of. */
  readonly configs: Config[];
}

export function startFake(
  argv: readonly string[],
  options: FakeOptions = {},
): { stop(reason: StopReason): void; done: Promise<FakeRun> } {
  const stopper = new AbortController();
  const asked: string[] = [];
  const configs: Config[] = [];
  const written = { stdout: '', stderr: '' };
  const remember = (name: 'stdout' | 'stderr') => {
    const stream = new PassThrough();
    stream.on('data', (chunk: Buffer) => {
      written[name] += chunk.toString('utf8');
    });
    return stream;
  };
  const stdin = new PassThrough();
  stdin.end(options.stdin ?? '');
  const io: Io = {
    stdin,
    stdout: remember('stdout'),
    stderr: remember('stderr'),
    tty: { stdin: false, stdout: false, stderr: false, ...options.tty },
    columns: options.columns,
    env: options.env ?? {},
    cwd: options.cwd ?? '/home/me',
    stateDir: options.stateDir,
    signal: stopper.signal,
    onHangUp: () => () => {},
    onFault: () => () => {},
    keepCode: () => {},
    program: {
      node: '/usr/bin/node',
      file: '/opt/mcp-workbench.cjs',
      demoConfig: '/opt/demo/workbench.jsonc',
      start: () => {
        throw new Error('not in this test');
      },
      ...options.program,
    },
    library: {
      version: '0.1.0',
      loadConfig: (given) => {
        asked.push(`loadConfig ${JSON.stringify({ flag: given.flag, mode: given.mode, separator: given.separator })}`);
        const { config = fakeConfig() } = options;
        return typeof config === 'function' ? config() : config;
      },
      createWorkbench: (given) => {
        const { config, fresh, log = silent } = given;
        options.onWorkbench?.(given);
        configs.push(config);
        if (fresh === true) asked.push('fresh');
        return fakeWorkbench({ config, log }, options, asked);
      },
      serveHttp: async (given) => {
        const { workbench: _, authenticator: __, ...rest } = given;
        asked.push(`serveHttp ${JSON.stringify(rest)}`);
        return {
          port: given.port ?? 3917,
          url: `http://127.0.0.1:${given.port ?? 3917}/mcp`,
          close: async () => void asked.push('stop http'),
        };
      },
      watchConfig: () => ({ reload() {}, close() {} }),
      refuseStdio: async ({ error }) => void asked.push(`refuse ${error.code}`),
      keepRunningRecord: () => ({ started: () => () => {}, serving() {}, mistaken() {}, close() {} }),
      findRunning: async () => [],
      stopRunning: () => Promise.reject(new Error('not in this test')),
      openSignIns: () => Promise.reject(new Error('not in this test')),
      openBrowser: () => Promise.reject(new Error('not in this test')),
      ...options.library,
      serveStdio: (given) => {
        asked.push(`serve ${JSON.stringify({ name: given.name, version: given.version })}`);
        return (
          options.serveStdio?.(given) ?? {
            done: Promise.resolve(),
            close: async () => void asked.push('stop serving'),
          }
        );
      },
    },
  };
  const done = main(argv, io).then((code) => ({ code, ...written, asked, configs }));
  return { stop: (reason) => stopper.abort(reason), done };
}

export function runFake(argv: readonly string[], options: FakeOptions = {}): Promise<FakeRun> {
  return startFake(argv, options).done;
}

const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };

/** Shows what the configuration it was given leaves of the statuses and entries of the test. */
function fakeWorkbench(
  { config, log }: { config: Config; log: Log },
  options: FakeOptions,
  asked: string[],
): Workbench {
  const { statuses = [], entries = [] } = options;
  const workbench: Pick<
    Workbench,
    | ('config' | 'servers' | 'toolboxes' | 'collisions' | 'filters' | 'shapes' | 'log' | 'warn')
    | ('startAll' | 'startMissing' | 'settled' | 'call' | 'apply' | 'close')
  > = {
    log,
    warn: (text) => void asked.push(`warn ${text}`),
    config,
    servers: () => statuses.filter(({ key }) => config.servers.has(key)),
    collisions: () => [...(options.collisions ?? [])],
    shapes: {
      reshaped: () => [...(options.reshaped ?? [])],
      hidden: () => [...(options.hiddenTools ?? [])],
      problems: () => [...(options.shapeProblems ?? [])],
      heard() {},
    },
    filters: {
      idle: () => [...(options.idleFilters ?? [])],
      leftOut: () => options.leftOut?.map((name) => ({ toolbox: 'code', server: 'github', name })) ?? [],
      heard() {},
    },
    toolboxes: () =>
      [...config.toolboxes.values()].map(({ name, description, placements }): Toolbox => {
        const servers = placements.map(({ server }) => server);
        const shown = entries.filter(({ address }) => address.toolbox === name && servers.includes(address.server));
        return { name, description, servers, entries: shown };
      }),
    startAll: (keys = []) => void asked.push(`start all of ${[...keys].join(',')}`),
    startMissing: (keys = []) => void asked.push(`start missing of ${[...keys].join(',')}`),
    settled: async (_, limitMs) => {
      await options.settled?.(limitMs);
    },
    call: async (address, request) => {
      asked.push(`call ${address.toolbox}/${address.server}/${address.name} ${JSON.stringify(request.arguments)}`);
      return options.call?.(address, request) ?? { content: [] };
    },
    async apply() {
      asked.push('apply');
      return { kept: [], added: [], replaced: [], removed: [], leftOut: [], settings: [], later: [], same: true };
    },
    close: async () => void asked.push('close'),
  };
  return workbench as Workbench;
}

/** `{ toolbox: { server: key } }` as a configuration. */
export function fakeConfig(
  toolboxes: Record<string, Record<string, string>> = { code: { github: 'github', files: 'files' } },
  change: Partial<Config> = {},
): Config {
  const keys = Object.values(toolboxes).flatMap((servers) => Object.entries(servers));
  return {
    path: '/home/me/workbench.jsonc',
    mode: 'meta',
    separator: ':',
    maxNameLength: undefined,
    safeNames: false,
    clients: new Map(),
    startWaitMs: 10_000,
    keepCatalog: true,
    pageSize: 10_000,
    limits: defaultLimits,
    http: { host: '127.0.0.1', allowedHosts: [], allowedOrigins: [], sse: false, maxBodyBytes: 8_388_608 },
    servers: new Map(
      keys.map(([name, key]) => [
        key,
        {
          key,
          name,
          transport: { kind: 'stdio', command: 'node', args: [], env: {}, cwd: '/home/me' },
          disabled: false,
          timeoutMs: 600_000,
          startTimeoutMs: 60_000,
          prefix: true,
          shown: 'node server.mjs',
        },
      ]),
    ),
    toolboxes: new Map(
      Object.entries(toolboxes).map(([name, servers]) => [
        name,
        {
          name,
          description: `About ${name}`,
          placements: Object.entries(servers).map(([server, key]) => ({ server, key, toolFilters: ['*'] })),
        },
      ]),
    ),
    secrets: [],
    variables: [],
    notes: [],
    ...change,
  };
}

export function fakeStatus(name: string, change: Partial<ServerStatus> = {}): ServerStatus {
  return {
    key: name,
    name,
    state: 'ready',
    transport: 'stdio',
    shown: `npx -y ${name}`,
    toolboxes: ['code'],
    era: 'legacy',
    protocolVersion: '2025-11-25',
    info: { name: `${name}-server`, version: '1.2.3' },
    tools: 3,
    startMs: 420,
    notes: [],
    ...change,
  };
}

export function failedStatus(name: string, change: Partial<NonNullable<ServerStatus['failure']>> = {}): ServerStatus {
  return {
    key: name,
    name,
    state: change.code === 'WB1201' ? 'needs-sign-in' : 'failing',
    transport: 'stdio',
    shown: `npx -y ${name}`,
    toolboxes: ['code'],
    failure: {
      code: 'WB1004',
      message: `${name} exited with code 1`,
      fix: 'Read the lines.',
      stderr: ['boom'],
      ...change,
    },
    notes: [],
  };
}

export function fakeEntry(path: string, properties: JsonObject = {}, required: string[] = []): Entry {
  const [toolbox = '', server = '', name = ''] = path.split('/');
  const inputSchema = { type: 'object', properties, required };
  return {
    address: { toolbox, server, name },
    publicName: `${server}:${name}`,
    tool: { name, description: `Does ${name}. And more.`, inputSchema },
  };
}
