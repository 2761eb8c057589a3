/** A JSON pointer that becomes text only when it is shown: most places of a schema are never spoken of. */
export interface Path {
  readonly outer: Path | undefined;
  readonly step: string;
}

export const topPath: Path = { outer: undefined, step: '' };

export function toPath(outer: Path, ...steps: readonly (string | number)[]): Path {
  return steps.reduce<Path>((path, step) => ({ outer: path, step: String(step) }), outer);
}

export function toPointer({ outer, step }: Path): string {
  return outer === undefined ? '' : `${toPointer(outer)}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
