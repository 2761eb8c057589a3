/** `serve` while it runs: the configuration file is watched, and what comes of a change is told on stderr. */
import type { Reload, Workbench, WorkbenchError } from '../index.ts';
import { createPaint, wantsColour } from './colour.ts';
import { findFreshNotes, toNoteLine } from './config-notes.ts';
import { toFailureText, toWorkbenchError } from './failure.ts';
import { type Context, toReading } from './session.ts';

/** Gives the function that ends it. */
export function startReloading(context: Context, workbench: Workbench): () => void {
  const { io, args, output } = context;
  const { path } = workbench.config;
  if (path === undefined) return () => {};
  const refuse = (error: WorkbenchError) => showRefusal(context, workbench, error);
  const watch = io.library.watchConfig({
    ...toReading(context),
    path,
    automatic: !args.has('no-watch'),
    onConfig(config, { asked }) {
      workbench.apply(config).then(
        (reload) => {
          if (reload.same && !asked) return;
          for (const note of reload.same ? [] : findFreshNotes(config, io.stateDir))
            output.note(`note ${toNoteLine(note)}`);
          output.note(toReloadLine(reload));
        },
        (error: unknown) => refuse(toWorkbenchError(error)),
      );
    },
    onProblem: refuse,
  });
  const stopListening = io.onHangUp(() => watch.reload());
  return () => {
    stopListening();
    watch.close();
  };
}

export function toReloadLine({ kept, added, replaced, removed, settings, same }: Reload): string {
  if (same) return 'configuration read again: nothing has changed';
  const parts = Object.entries({ added, replaced, removed, settings })
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `${what}: ${names.join(', ')}`);
  return [`configuration reloaded; kept: ${kept.length}`, ...parts].join('; ');
}

/** As at the start, except that the program goes on. */
function showRefusal({ io, args }: Context, { log }: Workbench, error: WorkbenchError): void {
  log.warn('the configuration file cannot be used; the configuration before it stays in force', { code: error.code });
  const paint = createPaint(wantsColour({ isTTY: io.tty.stderr, env: io.env, refused: args.has('no-color') }));
  io.stderr.write(`${toFailureText(error, { paint, debug: args.has('debug') })}\n`);
}
