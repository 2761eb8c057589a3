/** A problem of the configuration as scripts and editors read it. */
import { errorTable, type Problem } from '../../index.ts';

export interface ProblemJson {
  readonly code: Problem['code'];
  /** The place in the structure, such as `mcpServers.files.env.ROOT`. */
  readonly path: string;
  /** 1-based; null where there is no text. */
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
  readonly fix: string;
}

export function toProblemJson({ code, path, line, column, message, fix }: Problem): ProblemJson {
  return { code, path, line: line ?? null, column: column ?? null, message, fix: fix ?? errorTable[code].fix };
}
