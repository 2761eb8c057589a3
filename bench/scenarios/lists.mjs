/** `tools/list`: 500 tools that the client parses, 5,000 of which only the bytes arrive. Ten servers behind the Workbench. */
import { runBlock } from '../load.mjs';
import { openRoute } from '../routes.mjs';
import { inTurns } from '../turns.mjs';

const servers = 10;
const lists = [
  { name: 'list of 500, parsed', tools: 50, parse: true, against: 'direct', calls: 20 },
  { name: 'list of 5,000, bytes', tools: 500, parse: false, against: 'relay', calls: 8 },
];

export async function measureLists({ workbench, rounds, figures }) {
  for (const transport of ['stdio', 'http'])
    for (const { name, tools, parse, against, calls } of lists) {
      const routes = [];
      for (const route of ['direct', 'relay', 'flat'])
        routes.push(await openRoute(route, { transport, workbench, servers, tools }));
      for (const route of routes) await proveList(route, servers * tools);
      const toCall = (route) => async () => {
        const answer = await route.client.request('tools/list', '{}');
        if (parse) JSON.parse(answer.toString('utf8'));
      };
      for (const route of routes) await runBlock(toCall(route), { calls: 10 });
      const results = await inTurns(routes, rounds, (route) => runBlock(toCall(route), { calls }));
      const valuesOf = (route) => results.get(route).map(({ p50 }) => p50);
      for (const of of ['relay', 'flat'])
        if (of !== against)
          figures.add({
            scenario: 'lists',
            name: `${transport} ${name}, p50`,
            ...{ of, against, unit: 'ms' },
            own: valuesOf(of),
            base: valuesOf(against),
          });
      for (const route of routes) await route.close();
    }
}

/** All of it, in one page: otherwise less would be compared with more. */
async function proveList(route, count) {
  const answer = await route.client.request('tools/list', '{}');
  const { tools } = JSON.parse(answer.toString('utf8')).result;
  if (tools.length !== count) throw new Error(`${route.name} listed ${tools.length} of ${count} tools`);
}
