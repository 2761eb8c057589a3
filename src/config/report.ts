/** Collects what there is to say about a file, so that all of it can be said at once. */
import type { ErrorCode } from '../base/errors.ts';
import type { Problem } from './problem.ts';
import type { Place } from './tree.ts';

export interface Report {
  error(code: ErrorCode, place: Place, message: string, fix?: string): void;
  note(code: ErrorCode, place: Place, message: string, fix?: string): void;
  errors(): readonly Problem[];
  notes(): readonly Problem[];
}

export function createReport(): Report {
  const problems: Problem[] = [];
  const put =
    (severity: Problem['severity']): Report['error'] =>
    (code, { path, offset, length }, message, fix) => {
      problems.push({ code, severity, message, path, offset, length, ...(fix === undefined ? {} : { fix }) });
    };
  const inOrder = (severity: Problem['severity']) =>
    problems.filter((problem) => problem.severity === severity).sort((a, b) => a.offset - b.offset);
  return {
    error: put('error'),
    note: put('note'),
    errors: () => inOrder('error'),
    notes: () => inOrder('note'),
  };
}
