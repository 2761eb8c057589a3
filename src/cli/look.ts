/** Looks at the servers of a configuration where they run already, else at what earlier runs have heard, else starts them. */
import type { Config } from '../index.ts';
import { toCount } from './count.ts';
import { findInstance } from './instance.ts';
import { type Context, openServers, withWorkbench } from './session.ts';
import { narrowView, takeView, type View, type ViewQuestion } from './view.ts';

export interface Look {
  /** As the file has it. */
  readonly config: Config;
  /** What is asked for: the same, or less. */
  readonly wanted: Config;
  /** What is started for it where the servers run already, and where nothing runs. */
  readonly start: { readonly running: ViewQuestion['start']; readonly alone: ViewQuestion['start'] };
  /** Starts everything anew and believes nothing. */
  readonly fresh: boolean;
}

export async function look(context: Context, { config, wanted, start, fresh }: Look): Promise<View> {
  const { output } = context;
  const servers = [...wanted.servers.keys()];
  const instance = fresh ? undefined : await findInstance(context, config);
  if (instance !== undefined) {
    output.note(`asked ${instance.name}; --fresh starts the servers anew`);
    return narrowView(await instance.view({ start: start.running, servers }), wanted);
  }
  const wish = { config, fresh: fresh || start.alone === 'all' };
  const view = await withWorkbench(context, wish, async (session) => {
    await openServers(context, session, { start: wish.fresh ? 'all' : start.alone, servers });
    return narrowView(takeView(session.workbench, session.hide), wanted);
  });
  const known = view.servers.filter(({ state }) => state === 'known').length;
  if (known > 0) output.note(`${toCount(known, 'server')} as heard in an earlier run; --fresh starts them`);
  return view;
}
