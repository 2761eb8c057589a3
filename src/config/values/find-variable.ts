/** Finds one variable of an environment. In its own file, because the shim needs nothing else of how files are read. */

type Variables = Readonly<Record<string, string | undefined>>;

export function findVariable(env: Variables, name: string, platform: NodeJS.Platform): string | undefined {
  const spelling = findSpelling(env, name, platform);
  return spelling === undefined ? undefined : env[spelling];
}

/** The name that a variable has in this environment: Windows does not tell `Path` from `PATH`. */
export function findSpelling(env: Variables, name: string, platform: NodeJS.Platform): string | undefined {
  if (Object.hasOwn(env, name)) return name;
  if (platform !== 'win32') return undefined;
  return Object.keys(env).find((key) => key.toUpperCase() === name.toUpperCase());
}
