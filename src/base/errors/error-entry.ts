/** The fields of an entry of the error table, and the exit codes of commands. */

export const exitCode = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  signInNeeded: 3,
  unreachable: 4,
  toolFailed: 5,
  inUse: 7,
  interrupted: 130,
} as const;

export interface ErrorEntry {
  readonly title: string;
  /** What the error means and why it happens. */
  readonly meaning: string;
  /** The safest thing to do first. */
  readonly fix: string;
  readonly exit: (typeof exitCode)[keyof typeof exitCode];
}
