/** Counts tokens: estimated, or with a tokenizer that the person has installed. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { estimateTokens } from '../../base/text/token-estimate.ts';
import { WorkbenchError } from '../../index.ts';
import { findOwnPackage } from '../../state/own-package.ts';

export interface TokenCounter {
  /** How it counts: `estimate`, or the name of the encoding. */
  readonly name: 'estimate' | 'o200k_base';
  count(text: string): number;
  /** A count as it is shown: `~1,234` when it is estimated. */
  show(tokens: number): string;
}

const packageName = 'gpt-tokenizer';
const encoding = 'o200k_base';

export function openCounter(exact: boolean, ownFolder: string = import.meta.dirname): TokenCounter {
  if (!exact) return { name: 'estimate', count: estimateTokens, show: (tokens) => `~${toDigits(tokens)}` };
  return { name: encoding, count: loadTokenizer(ownFolder), show: toDigits };
}

function toDigits(tokens: number): string {
  return tokens.toLocaleString('en-US');
}

function loadTokenizer(ownFolder: string): (text: string) => number {
  const folder = placesOf(findOwnPackage(ownFolder)).find((place) => existsSync(join(place, 'package.json')));
  if (folder === undefined) throw new WorkbenchError('WB1850', `The package ${packageName} is not installed.`);
  try {
    const load = createRequire(join(folder, 'package.json'));
    const { countTokens } = load(`${packageName}/encoding/${encoding}`) as { countTokens?: (text: string) => number };
    if (typeof countTokens !== 'function') throw new Error('it has no function countTokens');
    return countTokens;
  } catch (error) {
    const [why = ''] = String(error instanceof Error ? error.message : error).split('\n');
    throw new WorkbenchError('WB1850', `The package ${packageName} in ${folder} cannot be used: ${why}.`);
  }
}

/** Inside our package, or beside it. Folders further up may belong to a stranger, whose code must not run. */
function placesOf(root: string): string[] {
  const beside = dirname(root);
  const folders = [join(root, 'node_modules'), ...(basename(beside) === 'node_modules' ? [beside] : [])];
  return folders.map((folder) => join(folder, packageName));
}
