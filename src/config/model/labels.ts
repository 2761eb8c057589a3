/** The names of servers where a name must be plain: in a toolbox, and in the names of mode `dynamic`. */
import { createHash } from 'node:crypto';
import { type Member, type Node, toMembers } from '../document/json-node.ts';
import { isName, suggestName } from './names.ts';

/**
 * A plain name stays as it is; any other gets a label made from it. The same names always give the same labels, and no two
 * servers share one.
 */
export function buildLabels(names: Iterable<string>): ReadonlyMap<string, string> {
  const all = [...new Set(names)];
  const labels = new Map(all.filter(isName).map((name) => [name, name]));
  const taken = new Set(labels.keys());
  const others = all.filter((name) => !labels.has(name));
  // The short label is used only where no other server would get it: the order must not matter.
  for (const toLabel of [shortLabel, wholeLabel]) {
    const open = others.filter((name) => !labels.has(name));
    const claims = new Map<string, number>();
    for (const label of open.map(toLabel)) claims.set(label, (claims.get(label) ?? 0) + 1);
    for (const name of open) {
      const label = toLabel(name);
      if (claims.get(label) === 1 && !taken.has(label)) labels.set(name, label);
    }
    for (const label of labels.values()) taken.add(label);
  }
  for (const name of others) if (!labels.has(name)) labels.set(name, `${wholeLabel(name)}-${fingerprint(name)}`);
  return new Map(all.map((name) => [name, labels.get(name) ?? name]));
}

/** Galleries name a server `io.github.owner/name`; people use the last part. */
function shortLabel(name: string): string {
  const gallery = /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+\/([^/]+)$/.exec(name);
  return suggestName(gallery?.[1] ?? name, 'server');
}

function wholeLabel(name: string): string {
  return suggestName(name, 'server');
}

function fingerprint(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 6);
}

/** All servers in the file, at any place: a label must be unique among them. */
export function findServerNames(root: Node, topLevel: readonly { readonly name: string }[]): string[] {
  const all = toMembers(root, '');
  // An instance is called by the name of its server and its own.
  const instances = (servers: readonly Member[]) =>
    servers.flatMap(({ key, node }) =>
      toMembers(node, '')
        .filter((each) => each.key === 'instances')
        .flatMap((each) => toMembers(each.node, '').map((instance) => `${key}/${instance.key}`)),
    );
  const atTop = all
    .filter(({ key }) => key === 'mcpServers' || key === 'servers')
    .flatMap(({ node }) => toMembers(node, ''));
  const toolboxes = all.filter(({ key }) => key === 'toolboxes');
  const inside = toolboxes
    .flatMap(({ node }) => toMembers(node, ''))
    .flatMap(({ node }) => toMembers(node, ''))
    .filter(({ key }) => key === 'mcpServers')
    .flatMap(({ node }) => toMembers(node, ''));
  return [...topLevel.map(({ name }) => name), ...inside.map(({ key }) => key), ...instances([...atTop, ...inside])];
}
