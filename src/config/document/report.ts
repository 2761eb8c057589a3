/** Collects the problems and notes of a file, so that all of them can be reported at once. */

import type { ErrorCode } from '../../base/errors/errors.ts';
import { defined } from '../../base/json/defined.ts';
import type { FilePosition, Member } from './json-node.ts';
import { createLineIndex } from './line-index.ts';
import type { Problem } from './problem.ts';

export interface Report {
  error(code: ErrorCode, place: FilePosition, message: string, fix?: string): Problem;
  note(code: ErrorCode, place: FilePosition, message: string, fix?: string): Problem;
  errors(): readonly Problem[];
  notes(): readonly Problem[];
  /** The errors so far that concern this key or anything in its value. */
  errorsIn(member: Member): readonly Problem[];
}

/** `lines`: the text comes from a file, so that positions have a line and a column. */
export function createReport(text: string, { lines }: { readonly lines: boolean }): Report {
  const found: Record<Problem['severity'], Problem[]> = { error: [], note: [] };
  const spotOf = createLineIndex(text);
  const put =
    (severity: Problem['severity']): Report['error'] =>
    (code, { path, offset, length }, message, fix) => {
      const spot = lines ? spotOf(offset) : {};
      const problem = { code, severity, message, path, offset, length, ...spot, ...defined({ fix }) };
      found[severity].push(problem);
      return problem;
    };
  const inOrder = (problems: readonly Problem[]) => [...problems].sort((a, b) => a.offset - b.offset);
  return {
    error: put('error'),
    note: put('note'),
    errors: () => inOrder(found.error),
    notes: () => inOrder(found.note),
    errorsIn: ({ keyNode, node }) =>
      inOrder(found.error.filter(({ offset }) => offset >= keyNode.offset && offset < node.offset + node.length)),
  };
}
