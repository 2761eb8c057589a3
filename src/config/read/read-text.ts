/** Reads one string of the file and fills in its variables, or reports them at their exact place. */
import { toPrintable } from '../../base/text/printable.ts';
import { type FilePosition, type Node, placeOf } from '../document/json-node.ts';
import type { Report } from '../document/report.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { PathFacts } from '../source/resolve-path.ts';
import { type ExpansionFault, expandText } from '../values/expand.ts';
import type { Variables } from '../values/foreign-variables.ts';

/** The context that every reader of a part of the file needs. */
export interface Reading {
  readonly report: Report;
  /** The whole text, for positions inside a string. */
  readonly text: string;
  readonly variables: Variables;
  /** Names of the variables that were looked up in the environment, set or not. */
  readonly asked: Set<string>;
  readonly secrets: Secrets;
  /** The folder that paths in the file are relative to, and their platform. */
  readonly ground: PathFacts;
  /** Reads the files that the configuration names; throws when there is none. */
  readonly readFile: (path: string) => string;
  /** In a part that is not in use, a missing value is only a note. */
  readonly unused: boolean;
}

export function readTextNode(node: Node, path: string, reading: Reading): string {
  const written = String(node.value);
  const { text, used, faults } = expandText(written, reading.variables);
  for (const { name, value } of used) reading.secrets.learn(name, value);
  for (const fault of faults) reportFault(fault, faultPlace(fault, node, path, reading.text), reading);
  if (text.includes('\0'))
    reading.report.error('WB1405', placeOf(node, path), `${path} contains a NUL character`, 'Remove the character.');
  return text;
}

/** Exact when the string has no escapes, so that its text and its value agree; otherwise the whole string. */
function faultPlace(fault: ExpansionFault, node: Node, path: string, text: string): FilePosition {
  const raw = text.slice(node.offset + 1, node.offset + node.length - 1);
  return raw === node.value
    ? { path, offset: node.offset + 1 + fault.start, length: fault.length }
    : placeOf(node, path);
}

function reportFault(fault: ExpansionFault, place: FilePosition, reading: Reading): void {
  const { report } = reading;
  const refuse = reading.unused ? report.note : report.error;
  const name = toPrintable(fault.name, 80);
  switch (fault.kind) {
    case 'unset':
      refuse(
        'WB1102',
        place,
        `the variable ${name} is not set; ${place.path} needs it`,
        `Set it where your client is started:  ${setCommand(name, reading.ground.platform)}\nor give a default:  \${${name}:-value}`,
      );
      return;
    case 'input': {
      const variable = toVariableName(fault.name.slice('input:'.length));
      refuse(
        'WB1102',
        place,
        `\${${name}} asks the user of VS Code; the Workbench cannot ask its user`,
        `Write \${${variable}} instead and set that variable:  ${setCommand(variable, reading.ground.platform)}`,
      );
      return;
    }
    case 'editor':
      refuse(
        'WB1102',
        place,
        `\${${name}} is known only to an editor; ${place.path} needs it`,
        'Write the value itself, or ${workspaceFolder} for the folder of the file.',
      );
      return;
    case 'file':
      refuse(
        'WB1102',
        place,
        `the file "${name}" that ${place.path} takes its value from cannot be read`,
        'Correct the path; a relative one begins at the folder of the configuration.',
      );
      return;
    case 'foreign':
      report.note('WB1402', place, `${place.path} has a variable of another client; it was read as ${fault.instead}`);
      return;
    case 'bare':
      report.note(
        'WB1402',
        place,
        `${place.path} has ${name}, which is passed on as it is`,
        `If the variable is meant, write ${fault.instead}.`,
      );
      return;
    case 'unknown':
      report.note(
        'WB1402',
        place,
        `${place.path} has a \${…} that is not a variable; it was left as it is`,
        fault.instead === undefined ? howToWrite : `Write ${toPrintable(fault.instead, 80)} instead.`,
      );
      return;
    case 'literal':
      report.note(
        'WB1402',
        place,
        `the default of ${name} in ${place.path} contains \${…}, which is not expanded`,
        'A default is taken as it is written.',
      );
  }
}

const howToWrite = 'Variables are written ${NAME} or ${NAME:-default}.';

function setCommand(name: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? `$env:${name} = "…"` : `export ${name}=…`;
}

function toVariableName(id: string): string {
  const name = id
    .toUpperCase()
    .replace(/[^A-Z0-9_]/g, '_')
    .slice(0, 80);
  return /^[A-Z_]/.test(name) ? name : `INPUT_${name}`;
}
