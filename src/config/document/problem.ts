/** A problem or note about one place of a configuration file. */
import type { ErrorCode } from '../../base/errors/errors.ts';

export interface Problem {
  readonly code: ErrorCode;
  readonly severity: 'error' | 'note';
  readonly message: string;
  /** What to do, where it can be more precise than in the table. */
  readonly fix?: string;
  /** The place in the file, such as `mcpServers.files.env.ROOT`. */
  readonly path: string;
  /** The characters of the text that the problem is about. */
  readonly offset: number;
  readonly length: number;
  /** The same for people, 1-based; absent for a configuration that was given as a value. */
  readonly line?: number;
  readonly column?: number;
}
