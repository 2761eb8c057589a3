/**
 * Shows the servers of a configuration where they already run, otherwise as earlier runs have stored them, otherwise after
 * starting them.
 */
import type { Config } from '../../index.ts';
import { pluralize } from '../output/pluralize.ts';
import { type Context, openServers, withWorkbench } from '../run/session.ts';
import { narrowView, takeView, type View, type ViewQuestion } from '../run/view.ts';
import { findInstance } from './instance.ts';

export interface Look {
  /** As in the file. */
  readonly config: Config;
  /** The part that the command asks about: the same, or less. */
  readonly wanted: Config;
  /** Which servers are started for it, in a running Workbench and without one. */
  readonly start: { readonly running: ViewQuestion['start']; readonly alone: ViewQuestion['start'] };
  /** Starts everything anew and uses nothing stored. */
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
  if (known > 0) output.note(`${pluralize(known, 'server')} as stored by an earlier run; --fresh starts them`);
  return view;
}
