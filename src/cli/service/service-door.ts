/** Lets the command line of this user into an HTTP service, without its tokens, through an entrance like that of the daemon. */
import { openPlace } from '../../daemon/attach.ts';
import { listenForClients, type OpenDoor } from '../../daemon/listen.ts';
import type { Redactor, Workbench } from '../../index.ts';
import { toMistakeLines } from '../output/show-mistakes.ts';
import type { Context } from '../run/session.ts';
import { toDoor } from './door.ts';

/** Undefined where there is no safe address for it, or another service of this configuration has it: commands work without it. */
export async function openServiceDoor(
  context: Context,
  { workbench, redactor }: { readonly workbench: Workbench; readonly redactor: Redactor },
): Promise<OpenDoor | undefined> {
  const { env, stateDir, library } = context.io;
  const { path } = workbench.config;
  if (stateDir === undefined || path === undefined) return undefined;
  const ground = openPlace({ env, stateDir, config: path, version: library.version, door: 'service' });
  const nothing = () => {};
  const listening =
    'why' in ground
      ? ground
      : await listenForClients({
          ...toDoor(context, {
            ...ground,
            workbench,
            redactor,
            log: '',
            mistakes: () => toMistakeLines(workbench.config),
          }),
          ...{ onStop: nothing, onReload: nothing, onClient: nothing, onAlone: nothing },
          onClogged: () => workbench.log.warn('a client was disconnected because it does not read'),
        });
  if ('close' in listening) return listening;
  const why = 'why' in listening ? listening.why : `process ${listening.inUse} has it`;
  workbench.log.info('commands cannot ask this service', { why });
  return undefined;
}
