/** A configuration that cannot be used, with all its mistakes. */
import { WorkbenchError } from '../../base/errors/errors.ts';
import { renderProblems, type Source } from './code-frame.ts';
import type { Problem } from './problem.ts';

export class ConfigError extends WorkbenchError {
  /** At least one, in the order of the file. */
  readonly problems: readonly Problem[];
  /** The name of the file in messages. */
  readonly file: string;

  constructor(problems: readonly Problem[], source: Source) {
    const first = problems[0];
    super(
      first?.code ?? 'WB1405',
      renderProblems(problems, source),
      first?.fix === undefined ? {} : { fix: first.fix },
    );
    this.name = 'ConfigError';
    this.problems = problems;
    this.file = source.file;
  }
}
