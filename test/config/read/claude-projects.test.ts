import { describe, expect, it } from 'vitest';
import { parse } from '../support.ts';

const file = {
  numStartups: 12,
  mcpServer: 'a key that looks misspelt, and is none of ours',
  mcpServers: { everywhere: { command: 'x' }, both: { command: 'user' } },
  projects: {
    '/home/me/api': {
      allowedTools: [],
      mcpServers: { here: { command: 'y' }, both: { command: 'project' } },
      disabledMcpServers: ['everywhere'],
    },
    '/home/me/api/inner': { mcpServers: {} },
    '/home/me/web': { mcpServers: { there: { command: 'z' } } },
  },
};

const inFolder = (cwd: string, env = {}) => parse(file, { cwd, env });
const commands = ({ servers }: ReturnType<typeof parse>) =>
  [...servers.values()].map(({ name, transport }) => `${name}=${'command' in transport ? transport.command : ''}`);

describe('the file of Claude Code', () => {
  it('gives the servers of the project beside those for all, and says so', () => {
    const config = inFolder('/home/me/api');
    expect(commands(config)).toEqual(['everywhere=x', 'here=y', 'both=project']);
    expect(config.notes).toMatchObject([
      { code: 'WB1402', message: 'the servers of the project /home/me/api (Claude Code) were read too' },
    ]);
  });

  it('gives those of the innermost project that the folder is in', () => {
    expect(commands(inFolder('/home/me/api/src/deep'))).toContain('here=y');
    expect(commands(inFolder('/home/me/api/inner/src'))).not.toContain('here=y');
    expect(commands(inFolder('/home/me/apiary'))).not.toContain('here=y');
  });

  it('takes the project from CLAUDE_PROJECT_DIR, and lets the daemon know that it matters', () => {
    const config = inFolder('/', { CLAUDE_PROJECT_DIR: '/home/me/web' });
    expect(commands(config)).toContain('there=z');
    expect(config.variables).toContain('CLAUDE_PROJECT_DIR');
  });

  it('keeps the servers switched off that are switched off in the project', () => {
    expect(inFolder('/home/me/api').servers.get('everywhere')?.disabled).toBe(true);
    expect(inFolder('/home/me/web').servers.get('everywhere')?.disabled).toBe(false);
  });

  it('outside any project says which servers were not read, and nothing of its other keys', () => {
    const { notes } = inFolder('/elsewhere');
    expect(notes).toMatchObject([{ code: 'WB1402', path: 'projects' }]);
    expect(notes[0]?.message).toContain('has servers of 2 other projects');
  });

  it('is found on Windows whatever the slashes and the case', () => {
    const windows = { projects: { 'C:/Work/Api': { mcpServers: { here: { command: 'y' } } } }, mcpServers: {} };
    const config = parse(windows, { platform: 'win32', cwd: 'c:\\work\\api\\src', dir: 'C:\\x', home: 'C:\\x' });
    expect(commands(config)).toEqual(['here=y']);
  });
});
