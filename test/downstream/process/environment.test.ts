import { describe, expect, it } from 'vitest';
import { findVariable } from '../../../src/config/values/find-variable.ts';
import { buildEnvironment, withVariable } from '../../../src/downstream/process/environment.ts';

const build = (inherited: Record<string, string | undefined>, declared = {}, platform: NodeJS.Platform = 'linux') =>
  buildEnvironment({ declared, inherited, platform });

describe('the environment of a server', () => {
  it.each([
    'PATH',
    'HOME',
    'LC_ALL',
    'XDG_CONFIG_HOME',
    'HTTPS_PROXY',
    'https_proxy',
    'NODE_EXTRA_CA_CERTS',
    'UV_CACHE_DIR',
    'npm_config_registry',
    'NPM_CONFIG_REGISTRY',
    'NVM_DIR',
    'DISPLAY',
  ])('has %s, which programs need to work at all', (name) => {
    expect(build({ [name]: 'value' })).toEqual({ [name]: 'value' });
  });

  it.each([
    'GITHUB_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'NODE_OPTIONS',
    'LD_PRELOAD',
    'DYLD_INSERT_LIBRARIES',
    'BASH_ENV',
    'ENV',
    'PYTHONPATH',
    'SSH_AUTH_SOCK',
    'UV_INDEX_URL',
    'UV_INDEX_CORP_PASSWORD',
    'UV_PUBLISH_TOKEN',
    'npm_config__authToken',
    'path',
    'Home',
    '__proto__',
    'constructor',
    'SYSTEMROOT',
  ])('does not have %s unless it is declared', (name) => {
    const inherited = Object.fromEntries([[name, 'value']]);
    expect(Object.keys(build(inherited))).toEqual([]);
    expect(Object.entries(build({}, inherited))).toEqual([[name, 'value']]);
  });

  it('has the declared value where both exist, even an empty one', () => {
    expect(build({ PATH: '/bin', LANG: 'C' }, { PATH: '/mine', LANG: '' })).toEqual({ PATH: '/mine', LANG: '' });
  });

  it('has no inherited shell function and nothing that is unset', () => {
    expect(build({ LANG: '() { :;}; echo vulnerable', TERM: undefined, TZ: 'UTC' })).toEqual({ TZ: 'UTC' });
  });

  it('is found and declared on Windows whatever the case of a name', () => {
    const inherited = {
      Path: 'C:\\bin',
      SystemRoot: 'C:\\Windows',
      'ProgramFiles(x86)': 'C:\\P',
      http_proxy: 'p',
      Token: 's',
    };
    expect(build(inherited, {}, 'win32')).toEqual({
      Path: 'C:\\bin',
      SystemRoot: 'C:\\Windows',
      'ProgramFiles(x86)': 'C:\\P',
      http_proxy: 'p',
    });
    expect(build({ Path: 'C:\\bin' }, { PATH: 'C:\\mine' }, 'win32')).toEqual({ PATH: 'C:\\mine' });
  });
});

describe('a variable of an environment', () => {
  it('is compared by the rules of the platform', () => {
    expect(findVariable({ Path: 'C:\\bin' }, 'PATH', 'win32')).toBe('C:\\bin');
    expect(findVariable({ Path: '/bin' }, 'PATH', 'linux')).toBeUndefined();
    expect(findVariable({}, 'constructor', 'linux')).toBeUndefined();
  });

  it('keeps its spelling when it is set', () => {
    const set = (platform: NodeJS.Platform) => withVariable({ Path: 'old' }, { name: 'PATH', value: 'new', platform });
    expect(set('win32')).toEqual({ Path: 'new' });
    expect(set('linux')).toEqual({ Path: 'old', PATH: 'new' });
  });
});
