import { describe, expect, it } from 'vitest';
import { WorkbenchError } from '../../../src/base/errors/errors.ts';
import { type CommandLookup, type FileKind, resolveCommand } from '../../../src/downstream/process/command.ts';

interface Machine {
  readonly files?: Readonly<Record<string, FileKind>>;
  readonly env?: Record<string, string>;
  readonly shellPath?: string;
  readonly platform?: NodeJS.Platform;
  readonly folders?: Readonly<Record<string, readonly string[]>>;
}

/** A machine that has exactly these files; `asked` counts how often the login shell was started. */
function machine({
  files = {},
  env = { PATH: '/usr/bin:/bin' },
  shellPath,
  platform = 'linux',
  folders = {},
}: Machine) {
  const kinds = new Map(Object.entries(files));
  const listings = new Map(Object.entries(folders));
  const lookup: CommandLookup & { asked: number } = {
    asked: 0,
    environment: env,
    cwd: platform === 'win32' ? 'C:\\work' : '/place',
    home: platform === 'win32' ? 'C:\\Users\\ada' : '/home/ada',
    platform,
    inspect: (file) => kinds.get(file) ?? 'missing',
    list: (folder) => listings.get(folder) ?? [],
    loginShellPath: async () => {
      lookup.asked++;
      return shellPath;
    },
  };
  return lookup;
}

async function failureOf(command: string, lookup: CommandLookup): Promise<WorkbenchError> {
  const error = await resolveCommand(command, lookup).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(WorkbenchError);
  return error as WorkbenchError;
}

describe('a command', () => {
  it('is found on the PATH, in its order, without asking the login shell', async () => {
    const lookup = machine({ files: { '/usr/bin/npx': 'executable', '/bin/npx': 'executable' } });
    expect(await resolveCommand('npx', lookup)).toEqual({
      file: '/usr/bin/npx',
      from: 'path',
      pathForChild: '/usr/bin:/bin',
    });
    expect(lookup.asked).toBe(0);
  });

  it('is passed over where it is a folder or not executable, as long as a later folder has it', async () => {
    const files = { '/usr/bin/tool': 'not executable', '/bin/tool': 'folder', '/opt/tool': 'executable' } as const;
    const lookup = machine({ files, env: { PATH: '/usr/bin:/bin:/opt' } });
    expect((await resolveCommand('tool', lookup)).file).toBe('/opt/tool');
  });

  it('is never taken from the current folder through an empty or relative entry of the PATH', async () => {
    const files = { '/place/tool': 'executable', tool: 'executable', 'bin/tool': 'executable' } as const;
    expect((await failureOf('tool', machine({ files, env: { PATH: ':.:bin:' } }))).code).toBe('WB1001');
  });

  it('is found on the PATH of the login shell, which the server then has too', async () => {
    const lookup = machine({ files: { '/nix/bin/npx': 'executable' }, shellPath: '/nix/bin:/usr/bin' });
    expect(await resolveCommand('npx', lookup)).toEqual({
      file: '/nix/bin/npx',
      from: 'login shell',
      pathForChild: '/nix/bin:/usr/bin:/bin',
    });
  });

  it('is found where version managers keep it, newest version first, and its folder leads the PATH', async () => {
    const lookup = machine({
      files: {
        '/home/ada/.nvm/versions/node/v9.11.2/bin/npx': 'executable',
        '/home/ada/.nvm/versions/node/v22.4.0/bin/npx': 'executable',
      },
      folders: { '/home/ada/.nvm/versions/node/': ['v9.11.2', 'v22.4.0'] },
    });
    expect(await resolveCommand('npx', lookup)).toEqual({
      file: '/home/ada/.nvm/versions/node/v22.4.0/bin/npx',
      from: 'known folder',
      pathForChild: '/home/ada/.nvm/versions/node/v22.4.0/bin:/usr/bin:/bin',
    });
  });

  it.each([
    ['/opt/tools/server', '/opt/tools/server', '/usr/bin:/bin:/opt/tools'],
    ['./server', '/place/server', '/usr/bin:/bin:/place'],
    ['bin/server', '/place/bin/server', '/usr/bin:/bin:/place/bin'],
  ])('written as the place %s is taken from there', async (command, file, pathForChild) => {
    const lookup = machine({ files: { [file]: 'executable', '/usr/bin/server': 'executable' } });
    expect(await resolveCommand(command, lookup)).toEqual({ file, from: 'as written', pathForChild });
  });

  it('that is nowhere fails with its name, the places and how to install it', async () => {
    const { code, message, fix } = await failureOf('uvx', machine({}));
    expect(code).toBe('WB1001');
    expect(message).toContain('"uvx"');
    expect(message).toContain('/usr/bin:/bin');
    expect(message).toContain('login shell');
    expect(message).toContain('~/.nvm');
    expect(message.length).toBeLessThan(500);
    expect(fix).toContain('Install uv');
    expect(fix).toContain('which uvx');
    expect((await failureOf('/project/server', machine({}))).fix).toContain('the folder of the configuration file');
  });

  it('that holds its arguments fails with the advice to put them into "args"', async () => {
    expect((await failureOf('npx -y some-server', machine({}))).fix).toContain('"args"');
    // As the configuration gives it: a name with a slash in it is a path below its folder.
    expect((await failureOf('/project/npx -y @scope/server', machine({}))).fix).toContain('"args"');
  });

  it.each([
    ['tool', { '/usr/bin/tool': 'not executable' }, 'WB1002', '/usr/bin/tool'],
    ['./tool', { '/place/tool': 'not executable' }, 'WB1002', 'chmod +x /place/tool'],
    ['./tool', { '/place/tool': 'folder' }, 'WB1002', 'folder'],
    ['./tool', {}, 'WB1001', '/place/tool'],
  ] as const)('%s that cannot be run as %j says so with %s', async (command, files, code, text) => {
    const failure = await failureOf(command, machine({ files }));
    expect(failure.code).toBe(code);
    expect(`${failure.message} ${failure.fix}`).toContain(text);
  });
});

describe('a command on Windows', () => {
  const env = {
    Path: '"C:\\Program Files\\nodejs";C:\\bin',
    PATHEXT: '.COM;.EXE;.CMD',
    AppData: 'C:\\Users\\ada\\AppData',
  };
  const windows = (files: Record<string, FileKind>) => machine({ platform: 'win32', env, files });

  it('is found by the extensions of PATHEXT and never as a file without one', async () => {
    const lookup = windows({
      'C:\\Program Files\\nodejs\\npx': 'executable',
      'C:\\Program Files\\nodejs\\npx.cmd': 'executable',
    });
    expect(await resolveCommand('npx', lookup)).toMatchObject({
      file: 'C:\\Program Files\\nodejs\\npx.cmd',
      from: 'path',
    });
  });

  it('is taken as it stands when it has such an extension', async () => {
    expect((await resolveCommand('node.EXE', windows({ 'C:\\bin\\node.EXE': 'executable' }))).file).toBe(
      'C:\\bin\\node.EXE',
    );
  });

  it.each([
    ['C:\\tools\\server', 'C:\\tools\\server.exe'],
    ['.\\server.exe', 'C:\\work\\server.exe'],
    ['tools/run.py', 'C:\\work\\tools\\run.py'],
  ])('written as the place %s is taken from there', async (command, file) => {
    expect(await resolveCommand(command, windows({ [file]: 'executable' }))).toMatchObject({
      file,
      from: 'as written',
    });
  });

  it('is found in the npm folder of the person, and no login shell is asked', async () => {
    const lookup = windows({ 'C:\\Users\\ada\\AppData\\npm\\server.cmd': 'executable' });
    expect(await resolveCommand('server', lookup)).toMatchObject({
      from: 'known folder',
      pathForChild: `C:\\Users\\ada\\AppData\\npm;${env.Path}`,
    });
    expect(lookup.asked).toBe(0);
  });
});
