/** Whether to use colours, and which. A colour is never the only sign of a meaning. */

export interface ColourFacts {
  readonly isTTY: boolean;
  readonly env: NodeJS.ProcessEnv;
  /** `--no-color` was given. */
  readonly refused: boolean;
}

/** A setting that refuses colours wins; FORCE_COLOR wins over the kind of stream. */
export function wantsColour({ isTTY, env, refused }: ColourFacts): boolean {
  if (refused || isSet(env.NO_COLOR)) return false;
  const forced = env.FORCE_COLOR;
  if (isSet(forced)) return forced !== '0' && forced !== 'false';
  return isTTY && env.TERM !== 'dumb' && !(isSet(env.CI) && env.CI !== 'false');
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

export function createPaint(coloured: boolean): Paint {
  const style = (on: number, off: number) => (text: string) =>
    coloured && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return { bold: style(1, 22), dim: style(2, 22), red: style(31, 39), green: style(32, 39), yellow: style(33, 39) };
}
