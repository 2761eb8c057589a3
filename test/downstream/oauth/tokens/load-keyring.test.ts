import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadKeyring } from '../../../../src/downstream/oauth/tokens/load-keyring.ts';
import { tempDir } from '../../../support/processes.ts';

/** Puts a package there that says where it was loaded from, with a part for some system beside it. */
function install(folder: string, { whole = true } = {}): void {
  const scope = join(folder, 'node_modules', '@napi-rs');
  mkdirSync(join(scope, 'keyring'), { recursive: true });
  writeFileSync(join(scope, 'keyring', 'package.json'), '{"name":"@napi-rs/keyring","main":"index.js"}');
  writeFileSync(join(scope, 'keyring', 'index.js'), 'module.exports = { from: __dirname };');
  if (whole) mkdirSync(join(scope, 'keyring-linux-x64-gnu'));
}

/** Our package as npm installs it, and the folder of its program. */
function place() {
  const top = tempDir();
  const project = join(top, 'project');
  const own = join(project, 'node_modules', 'mcp-workbench');
  mkdirSync(join(own, 'dist'), { recursive: true });
  writeFileSync(join(own, 'package.json'), '{"name":"mcp-workbench"}');
  return { top, project, own, load: () => loadKeyring(join(own, 'dist')) };
}

describe('the package for the keychain', () => {
  it('is loaded from beside our own package, or from inside it', () => {
    const { project, own, load } = place();
    install(project);
    expect(load()).toEqual({ from: join(project, 'node_modules/@napi-rs/keyring') });
    install(own);
    expect(load()).toEqual({ from: join(own, 'node_modules/@napi-rs/keyring') });
  });

  it('is not looked for in folders above, where others may have put one', () => {
    const { top, load } = place();
    install(top);
    expect(load()).toBeUndefined();
  });

  it('is not loaded without its part for a system, which would be looked for above', () => {
    const { top, project, load } = place();
    install(top);
    install(project, { whole: false });
    expect(load()).toBeUndefined();
  });

  it.skipIf(process.platform === 'win32')('is loaded where a package manager has linked it from its store', () => {
    const { top, own, load } = place();
    install(join(top, 'store'));
    mkdirSync(join(own, 'node_modules', '@napi-rs'), { recursive: true });
    symlinkSync(join(top, 'store/node_modules/@napi-rs/keyring'), join(own, 'node_modules/@napi-rs/keyring'));
    expect(load()).toEqual({ from: join(top, 'store/node_modules/@napi-rs/keyring') });
  });

  it('is the one of this repository, or none', () => {
    expect(() => loadKeyring()).not.toThrow();
  });
});
