/** `serve` while it runs: watches the configuration file and reports the effect of a change on stderr and to clients. */
import type { ConfigWatch, ConfigWatchOptions, Reload, Workbench, WorkbenchError } from '../../index.ts';
import { toShownError } from '../output/failure.ts';
import { showMistakes, toMistakeLine, toMistakeLines } from '../output/show-mistakes.ts';
import { type Context, toReadOptions } from '../run/session.ts';
import { findFreshNotes, toNoteLine } from './config-notes.ts';

/** Called with the mistakes in the file as it is now, one line each; with an empty list when there are none. */
export type OnMistakes = (mistakes: readonly string[]) => void;

/** The file is watched from when `ready` resolves; a hang-up reads it at any time. Returns the function that ends it. */
export function startReloading(
  context: Context,
  workbench: Workbench,
  onMistakes: OnMistakes = () => {},
  ready: Promise<unknown> = Promise.resolve(),
): () => void {
  const { io, args, output } = context;
  const { path } = workbench.config;
  if (path === undefined) return () => {};
  const refuse = (error: WorkbenchError) => {
    const { code, message, fix } = error;
    workbench.log.warn('the configuration file cannot be used; the previous configuration stays in force', { code });
    showMistakes(context, error);
    const [said = ''] = message.split('\n');
    onMistakes([toMistakeLine({ what: 'the file as it is now cannot be used', code, message: said, fix })]);
    workbench.warn(
      `The configuration file cannot be used as it is now; the previous configuration stays in force. ${said} Fix: ${fix} [${code}]`,
    );
  };
  const options: ConfigWatchOptions = {
    ...toReadOptions(context),
    path,
    leaveOut: true,
    automatic: !args.has('no-watch'),
    onConfig(config, { asked }) {
      const { leftOut } = config;
      // Where toolboxes and tokens say who may use what, a mistake there must not open anything.
      if (leftOut?.closesHttp === true && args.has('http')) return refuse(leftOut.error);
      workbench.apply(config).then(
        (reload) => {
          if (reload.same && !asked) return;
          for (const note of reload.same ? [] : findFreshNotes(config, io.stateDir))
            output.note(`note ${toNoteLine(note)}`);
          const mistakes = toMistakeLines(config);
          if (leftOut !== undefined) showMistakes(context, leftOut.error);
          if (mistakes.length > 0 && !reload.same) workbench.warn(toWarning(mistakes));
          onMistakes(mistakes);
          output.note(toReloadLine(reload));
        },
        (error: unknown) => refuse(toShownError(error)),
      );
    },
    onProblem: refuse,
  };
  let watch: ConfigWatch | undefined;
  let isOver = false;
  const open = (): ConfigWatch => {
    watch ??= io.library.watchConfig(options);
    return watch;
  };
  void ready.then(() => isOver || open());
  const stopListening = io.onHangUp(() => open().reload());
  return () => {
    isOver = true;
    stopListening();
    watch?.close();
  };
}

export function toReloadLine({ kept, added, replaced, removed, leftOut, settings, same }: Reload): string {
  if (same) return 'configuration read again: nothing has changed';
  const parts = Object.entries({ added, replaced, removed, 'left out': leftOut, settings })
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `${what}: ${names.join(', ')}`);
  return [`configuration reloaded; kept: ${kept.length}`, ...parts].join('; ');
}

/** Further ones are only counted, because a client shows this. */
const maxTold = 5;

function toWarning(mistakes: readonly string[]): string {
  const told = mistakes.slice(0, maxTold);
  const more = mistakes.length > told.length ? [`… and ${mistakes.length - told.length} more`] : [];
  return ['The configuration was read again. Left out because of mistakes:', ...told, ...more].join('\n');
}
