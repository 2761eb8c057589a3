/** Finds one variable of an environment. In its own file, because the shim needs nothing else of how files are read. */

/** Windows treats `Path` and `PATH` as the same variable. */
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
