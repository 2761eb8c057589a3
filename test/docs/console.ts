/** Examples of a terminal: commands with what they print, and how a page abbreviates that. */

export interface Step {
  readonly words: readonly string[];
  readonly output: string;
}

/** `$ ` begins a command; what follows up to the next one is its output. */
export function parseConsole(text: string): Step[] {
  const parts = `\n${text}`.split('\n$ ').slice(1);
  return parts.map((part) => {
    const [command = '', ...output] = part.split('\n');
    return { words: splitWords(command), output: output.join('\n') };
  });
}

/** As a shell does for plain words and single quotes, so that the examples run on a system without one. */
export function splitWords(command: string): string[] {
  const words = command.match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  return words.map((word) => word.replaceAll("'", ''));
}

/** `…` stands for anything in its line, and for any lines when it is alone; times differ from run to run. */
export function toPattern(expected: string): RegExp {
  const lines = expected.trimEnd().split('\n');
  const pattern = lines.map((line) =>
    line === '…' ? '[^]*?' : withoutTimes(line).split('…').map(escapePattern).join('[^\\n]*'),
  );
  return new RegExp(`^${pattern.join('\\n')}$`);
}

export function withoutTimes(text: string): string {
  return text.replace(/\d+\.\d s/g, '#.# s');
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
