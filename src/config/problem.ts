/** Something to say about one place of a configuration file. */
import type { ErrorCode } from '../base/errors.ts';

export interface Problem {
  readonly code: ErrorCode;
  readonly severity: 'error' | 'note';
  readonly message: string;
  /** What to do, when there is something better to say than the table does. */
  readonly fix?: string;
  /** Where in the file, e.g. `mcpServers.files.env.ROOT`. */
  readonly path: string;
  /** Characters of the text the problem is about. */
  readonly offset: number;
  readonly length: number;
  /** The same for people, 1-based; there are none in a configuration that was given as a value. */
  readonly line?: number;
  readonly column?: number;
}
