/** What is worth saying about a valid configuration before anything is started. */
import { type Config, type ErrorCode, errorTable } from '../index.ts';

export interface ConfigNote {
  readonly code: ErrorCode;
  /** Place in the file, where there is one. */
  readonly path?: string;
  readonly message: string;
}

export function findConfigNotes(config: Config): ConfigNote[] {
  const separator = findSeparatorNote(config);
  const notes = config.notes.map(({ code, path, message }) => ({ code, path, message }));
  return separator === undefined ? notes : [...notes, separator];
}

/** Clients refuse names with unusual characters, so a separator that has some is mentioned where names are built with it. */
export function findSeparatorNote({ mode, separator, safeNames, servers }: Config): ConfigNote | undefined {
  if (mode !== 'flat' || safeNames || /^[A-Za-z0-9_.-]*$/.test(separator)) return undefined;
  if (![...servers.values()].some(({ prefix }) => prefix)) return undefined;
  const { meaning, fix } = errorTable.WB1702;
  return { code: 'WB1702', message: `The separator is "${separator}". ${meaning} ${fix}` };
}

export function toNoteLine({ code, path, message }: ConfigNote): string {
  return `${code}${path === undefined || path === '' ? '' : ` ${path}`}: ${message}`;
}
