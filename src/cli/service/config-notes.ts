/** Notes on a valid configuration: those known before anything is started, and those about the names that result from it. */

import { defined } from '../../base/json/defined.ts';
import { modeFacts } from '../../base/mode.ts';
import { isFirstTime } from '../../boot/tell-once.ts';
import {
  type Config,
  type ErrorCode,
  errorTable,
  judgeNames,
  longestName,
  type NameFault,
  toPrintable,
} from '../../index.ts';

export interface ConfigNote {
  readonly code: ErrorCode;
  /** The place in the file, if any. */
  readonly path?: string;
  readonly message: string;
  /** What to do, where the message does not say it. */
  readonly fix?: string;
}

export function findConfigNotes(config: Config): ConfigNote[] {
  const separator = findSeparatorNote(config);
  const notes = config.notes.map(({ code, path, message, fix }) => ({
    ...{ code, path, message },
    ...defined({ fix }),
  }));
  return separator === undefined ? notes : [...notes, separator];
}

/** Clients refuse names with unusual characters, so such a separator is mentioned where names are built with it. */
function findSeparatorNote({ mode, separator, safeNames, servers }: Config): ConfigNote | undefined {
  if (modeFacts[mode].publicNames !== 'server' || safeNames || /^[A-Za-z0-9_.-]*$/.test(separator)) return undefined;
  if (![...servers.values()].some(({ prefix }) => prefix)) return undefined;
  const { meaning, fix } = errorTable.WB1702;
  return { code: 'WB1702', message: `The separator is "${separator}". ${meaning} ${fix}` };
}

/** For a start or a reload: notes on this file that were shown before are not repeated, where that can be remembered. */
export function findFreshNotes(config: Config, stateDir: string | undefined): ConfigNote[] {
  const saying = ['WB1702', config.path ?? '', config.separator];
  return findConfigNotes(config).filter(({ code }) => code !== 'WB1702' || isFirstTime(stateDir, saying));
}

/** How many of the affected names are shown. */
const maxNames = 3;

/** How clients treat the public names, apart from the separator, which has its own note. */
export function findNameNotes(config: Config, publicNames: readonly string[]): ConfigNote[] {
  const told = findSeparatorNote(config) !== undefined;
  const bySeparator = new Map(
    publicNames.map((name) => [
      told ? name.replace(config.separator, '_'.repeat(config.separator.length)) : name,
      name,
    ]),
  );
  return judgeNames([...bySeparator.keys()]).map(({ kind, names, clients }) => {
    const own = names.map((name) => bySeparator.get(name) ?? name);
    return toNameNote({ kind, clients, names: own }, publicNames.length);
  });
}

function toNameNote({ kind, names, clients }: NameFault, all: number): ConfigNote {
  const code = kind === 'characters' ? 'WB1703' : 'WB1704';
  const which = `${names.length} of ${all} public names`;
  const some = names.slice(0, maxNames).map((name) => `"${toPrintable(name, 150)}"`);
  const what =
    kind === 'characters'
      ? `have characters that ${toList(clients)} refuse`
      : `are too long for ${toList(clients)}, which leave ${longestName()} characters at least`;
  return {
    code,
    message: `${which} ${what}: ${some.join(', ')}${names.length > maxNames ? ', …' : ''}. ${errorTable[code].fix}`,
  };
}

function toList(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

export function toNoteLine({ code, path = '', message, fix }: ConfigNote): string {
  const place = path === '' || message.includes(path) ? '' : ` ${path}`;
  return `${code}${place}: ${message}${fix === undefined ? '' : `. ${fix}`}`;
}
