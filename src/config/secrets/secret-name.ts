/** Which names suggest that their value is a secret. */

const telling = /key|token|secret|password|passwd|auth|credential/i;

export function looksSecret(name: string): boolean {
  return telling.test(name);
}

/** Whether an argument announces that the next one is a secret: `--api-key`, `-token`. */
export function announcesSecret(argument: string): boolean {
  return argument.startsWith('-') && !argument.includes('=') && looksSecret(argument);
}
