/** The Workbench as one among the peers: started, connected to and measured by the same lines as they. */

export const workbenches = [
  { name: 'Workbench (stdio)', transport: 'stdio', plan: (given) => planFlat(given) },
  { name: 'Workbench (HTTP)', transport: 'http', plan: (given) => planFlat(given, { http: given.port }) },
];

/** It remembers what its servers offer: one plan for all its starts, of which the first is not counted. */
export function createKnowing() {
  let plan;
  return {
    name: 'Workbench (stdio), started before',
    transport: 'stdio',
    plan(given) {
      plan ??= planFlat(given);
      return plan;
    },
  };
}

function planFlat({ workbench, servers }, more = {}) {
  return workbench.plan({ front: 'flat', servers: Object.values(servers), ...more });
}
