/**
 * Peers and the Workbench side by side, in front of the same servers, with the same client, in the same turns. Ratios are against the
 * relay of the transport (lists: against direct; cold start: against a client that starts the ten servers itself).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { absent, peers } from '../peers/catalog.mjs';
import { createCompany } from '../peers/company.mjs';
import { measureTogether } from '../peers/measure.mjs';
import { openPeer } from '../peers/open.mjs';
import { createKnowing, workbenches } from '../peers/ourselves.mjs';
import { openRoute } from '../routes.mjs';

export async function measurePeers({ workbench, rounds, figures }) {
  const installed = new Map(JSON.parse(readFileSync(join(workbench.folder, 'peers.json'), 'utf8')));
  const notes = absent.map((name) => `${name}: not on npm`);
  const able = peers.flatMap((peer) => {
    const { reason, ...found } = installed.get(peer.package) ?? {};
    if (reason === undefined) return [{ ...peer, ...found }];
    notes.push(`${peer.package}: ${reason}`);
    return [];
  });
  const company = createCompany([...bases, ...workbenches, ...able].map(toMember), (name, { message }) =>
    figures.note(`${name} was left out from here on: ${message.slice(0, 300)}`),
  );
  const versions = [...new Set(able.filter(({ version }) => version).map((peer) => `${peer.package} ${peer.version}`))];
  await figures.note(`Peers: ${versions.join(', ')}. Left out: ${[...new Set(notes)].join(', ') || 'none'}.`);
  const knowing = toMember(createKnowing());
  await measureTogether({ company, knowing, rounds, figures });

  function toMember(contender) {
    const open = contender.base
      ? (servers, tools) => openRoute(contender.base, { transport: contender.transport, workbench, servers, tools })
      : (servers, tools) => openPeer(contender, { workbench, servers, tools });
    return { ...contender, open };
  }
}

const bases = ['stdio', 'http'].flatMap((transport) =>
  ['direct', 'relay'].map((base) => ({ name: `${base} ${transport}`, base, transport })),
);
