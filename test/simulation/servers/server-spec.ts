/** A server of a world: what stays the same however it is defined. */

export interface ServerSpec {
  readonly name: string;
  readonly era: 'legacy' | 'modern';
  readonly sharing: 'shared' | 'perSession' | 'perCall' | undefined;
}

/** All calls to the server go to one process, whatever it asks or says. */
export function isShared({ sharing }: ServerSpec): boolean {
  return sharing === 'shared';
}
