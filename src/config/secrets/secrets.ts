/** Collects what must never be printed while a file is read. */

export interface Secret {
  /** The source of the secret, which is shown in its place. */
  readonly name: string;
  readonly value: string;
}

export interface Secrets {
  learn(name: string, value: string): void;
  list(): readonly Secret[];
}

export function createSecrets(): Secrets {
  const known = new Map<string, Secret>();
  return {
    learn(name, value) {
      if (value !== '') known.set(JSON.stringify([name, value]), { name, value });
    },
    list: () => [...known.values()],
  };
}
