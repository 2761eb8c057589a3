/**
 * The environment of a server: what programs need to work at all, plus what the configuration declares for it.
 * Nothing else of ours is passed on, so a server cannot read a secret that was meant for another one.
 */
import { findSpelling } from '../../config/values/find-variable.ts';

/** Variables that are passed on when they are set. None of them holds a secret or can load code into a program. */
export const inheritedVariables = {
  /** Exactly these names. */
  exact: [
    ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'LANG', 'TZ', 'TMPDIR', 'TEMP', 'TMP'],
    // Private certificate authorities.
    ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'PIP_CERT'],
    // uv: only these, because its index and publish variables may hold passwords.
    ...['UV_CACHE_DIR', 'UV_PYTHON', 'UV_PYTHON_INSTALL_DIR', 'UV_TOOL_DIR', 'UV_TOOL_BIN_DIR'],
    ...['UV_NATIVE_TLS', 'UV_SYSTEM_CERTS', 'UV_OFFLINE'],
    // Where version managers and languages keep their programs.
    ...['NVM_DIR', 'NVM_BIN', 'FNM_DIR', 'FNM_MULTISHELL_PATH', 'VOLTA_HOME', 'MISE_DATA_DIR', 'ASDF_DIR'],
    ...['ASDF_DATA_DIR', 'PYENV_ROOT', 'RBENV_ROOT', 'CARGO_HOME', 'RUSTUP_HOME', 'GOPATH', 'GOROOT', 'JAVA_HOME'],
    ...['DENO_DIR', 'BUN_INSTALL', 'PNPM_HOME'],
    ...['DOCKER_HOST', 'DOCKER_CONFIG'],
    // A server that opens a browser needs the desktop.
    ...['DISPLAY', 'WAYLAND_DISPLAY', 'DBUS_SESSION_BUS_ADDRESS'],
    'CLAUDE_PROJECT_DIR',
  ],
  /** These names in upper, lower or mixed case. */
  anyCase: [
    ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'],
    ...['npm_config_registry', 'npm_config_cafile', 'npm_config_cache', 'npm_config_prefix', 'npm_config_userconfig'],
  ],
  /** Every name that begins like this. */
  prefixes: ['LC_', 'XDG_'],
  /** Further names on Windows, where the case of a name does not matter. */
  windows: [
    ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'PROCESSOR_ARCHITECTURE'],
    ...['USERNAME', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'APPDATA', 'LOCALAPPDATA'],
    ...['PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)'],
  ],
} as const satisfies Record<string, readonly string[]>;

const upper = (names: readonly string[]) => names.map((name) => name.toUpperCase());
const exact = new Set<string>(inheritedVariables.exact);
const anyCase = new Set(upper(inheritedVariables.anyCase));
const onWindows = new Set([...upper(inheritedVariables.exact), ...anyCase, ...inheritedVariables.windows]);

/** The form in which an older bash exports a function: another shell would run such a value. */
const shellFunction = '() {';

export type ServerEnvironment = Readonly<Record<string, string>>;

export interface EnvironmentSources {
  /** From the configuration of this server; takes precedence. */
  readonly declared: ServerEnvironment;
  /** Our own environment. */
  readonly inherited: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

export function buildEnvironment({ declared, inherited, platform }: EnvironmentSources): Record<string, string> {
  const variables = new Map<string, readonly [name: string, value: string]>();
  const passed = Object.entries(pickInherited(inherited, platform));
  for (const [name, value] of [...passed, ...Object.entries(declared)])
    variables.set(toKey(name, platform), [name, value]);
  return Object.fromEntries(variables.values());
}

/** The part of our own environment that every server gets. Applying it twice changes nothing. */
export function pickInherited(
  inherited: EnvironmentSources['inherited'],
  platform: NodeJS.Platform,
): Record<string, string> {
  const isPassed = (entry: [string, string | undefined]): entry is [string, string] =>
    entry[1] !== undefined && !entry[1].startsWith(shellFunction) && isInherited(entry[0], platform);
  return Object.fromEntries(Object.entries(inherited).filter(isPassed));
}

/** A copy with one variable set, under the spelling it already has (Windows knows `Path`). */
export function withVariable(
  environment: ServerEnvironment,
  { name, value, platform }: { readonly name: string; readonly value: string; readonly platform: NodeJS.Platform },
): Record<string, string> {
  return { ...environment, [findSpelling(environment, name, platform) ?? name]: value };
}

function toKey(name: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? name.toUpperCase() : name;
}

function isInherited(name: string, platform: NodeJS.Platform): boolean {
  const key = toKey(name, platform);
  if (inheritedVariables.prefixes.some((prefix) => key.startsWith(prefix))) return true;
  return platform === 'win32' ? onWindows.has(key) : exact.has(key) || anyCase.has(key.toUpperCase());
}
