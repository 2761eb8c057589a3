/** One variable of an environment. A file of its own: the shim needs it and nothing else of how files are read. */

/** Windows does not tell `Path` from `PATH`. */
export function findVariable(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  platform: NodeJS.Platform,
): string | undefined {
  if (Object.hasOwn(env, name)) return env[name];
  if (platform !== 'win32') return undefined;
  const same = Object.keys(env).find((key) => key.toUpperCase() === name.toUpperCase());
  return same === undefined ? undefined : env[same];
}
