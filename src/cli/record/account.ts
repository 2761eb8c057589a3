/** Records what a workbench does while it runs: in the journal of the state folder and, in a terminal, on the screen. */
import type { Log, Observer, Redactor } from '../../index.ts';
import type { Args } from '../args/args.ts';
import { createPaint, wantsColour } from '../output/colour.ts';
import type { Output } from '../output/output.ts';
import type { Io } from '../run/io.ts';
import { createJournal } from './journal.ts';
import { openJournalFile } from './journal-file.ts';
import { createLiveLines } from './live-lines.ts';
import { both } from './logs.ts';

export interface Account {
  /** For the workbench: passes every event on and records those that are kept. */
  readonly watching: { readonly log: Log; readonly observer: Observer };
  close(): void;
}

export interface AccountOptions {
  readonly redactor: Redactor;
  readonly log: Log;
  /** Whether a person watches in a terminal. */
  readonly live: boolean;
}

export function openAccount(
  { io, args, output }: { readonly io: Io; readonly args: Args; readonly output: Output },
  { redactor, log, live }: AccountOptions,
): Account {
  const journal =
    io.stateDir === undefined
      ? undefined
      : createJournal({
          file: openJournalFile(io.stateDir),
          redactor,
          onLost: (why) => output.note(`note calls are not recorded: ${why}`),
        });
  const paint = createPaint(wantsColour({ isTTY: io.tty.stderr, env: io.env, refused: args.has('no-color') }));
  const screen = live ? createLiveLines({ paint, write: (line) => output.note(redactor.hide(line)) }) : undefined;
  const stopListening = io.onFault(() => journal?.flush());
  return {
    watching: {
      log: journal === undefined ? log : both(log, journal.log),
      observer: {
        onCall(record) {
          journal?.call(record);
          screen?.onCall(record);
        },
        onClient: (client) => screen?.onClient(client),
      },
    },
    close() {
      stopListening();
      journal?.flush();
    },
  };
}
