import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/file/load.ts';
import type { Config } from '../../src/config/model/config.ts';
import { tempDir } from '../support/processes.ts';
import { findExamples, findUnmarked, getExample, readPage } from './pages.ts';

const guide = readPage('docs/guide.md');
const examples = findExamples(guide);
const home = join(tempDir(), 'home');

function load(name: string): Config {
  const cwd = tempDir();
  writeFileSync(join(cwd, 'workbench.jsonc'), getExample(examples, name).text);
  writeFileSync(join(cwd, '.env'), 'TICKETS_URL=http://tickets.test\n');
  return loadConfig({ env: { TICKETS_TOKEN: 'a token' }, cwd, home });
}

describe('the guide', () => {
  it('has no configuration that is not read here', () => {
    expect(findUnmarked(guide, ['json', 'jsonc', 'js', 'sh', 'console', ''])).toEqual([]);
    expect(examples.length).toBeGreaterThan(9);
  });

  it.each(examples.map(({ name }) => name))('shows a configuration "%s" without a mistake or a note', (name) => {
    expect(load(name).notes).toEqual([]);
  });

  it.each([
    ['plain', 'flat'],
    ['toolboxes', 'meta'],
    ['mode', 'dynamic'],
  ])('is right that the file "%s" is in mode %s', (name, mode) => {
    expect(load(name).mode).toBe(mode);
  });

  it('is right about variables and files with variables', () => {
    const variables = load('variables').servers.get('tickets')?.transport;
    expect(variables).toMatchObject({ args: ['-y', 'tickets-mcp', '--team', 'everyone'], cwd: join(home, 'tickets') });
    const envFile = load('envFile').servers.get('tickets')?.transport;
    expect(envFile).toMatchObject({
      args: ['-y', 'tickets-mcp', '--url', 'http://tickets.test'],
      env: { TICKETS_URL: 'http://tickets.test', LOG_LEVEL: 'warn' },
    });
  });

  it('is right about a server in several toolboxes', () => {
    const { servers, toolboxes } = load('shared');
    expect([...servers.keys()]).toEqual(['files', 'memory']);
    const shown = [...toolboxes.values()].map(({ name, placements }) => [name, placements.map(({ key }) => key)]);
    expect(Object.fromEntries(shown)).toEqual({ coding: ['files'], reading: ['files'], default: ['memory'] });
  });
});
