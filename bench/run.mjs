/**
 * `npm run bench`: measures the Workbench beside the least that a hop can cost. It prints what it finds and never fails over it.
 *
 *   --quick           fewer rounds: to see that it works, not to learn anything
 *   --only A,B        some of: stdio, http, lists, cold, memory, sessions
 *   --runs N          the whole N times; figures are medians of the runs
 *   --json FILE       everything as JSON
 *   --write           docs/performance.md
 *   --profile stdio   (or http, http-to-http) no figures, but where the time goes, with 64 calls in flight
 */
import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { root } from '../scripts/prepare.mjs';
import { createFigures } from './figures.mjs';
import { profileCalls, profiles } from './profile.mjs';
import { toLine, toPage } from './report.mjs';
import { copyBuild, useBuild } from './workbench.mjs';

const scenarios = ['stdio', 'http', 'lists', 'cold', 'memory', 'sessions'];
const scenarioFile = fileURLToPath(new URL('./scenario.mjs', import.meta.url));

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: scenarios.join(',') },
    runs: { type: 'string', default: '1' },
    json: { type: 'string' },
    write: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
});
const rounds = flags.quick ? 3 : 8;
const runs = Math.max(1, Number.parseInt(flags.runs, 10) || 1);
const wanted = flags.only.split(',');
const unknown = wanted.find((name) => !scenarios.includes(name));
if (unknown !== undefined) refuse(`There is no '${unknown}'. Use some of: ${scenarios.join(', ')}.`);
if (flags.profile !== undefined && !profiles.has(flags.profile))
  refuse(`--profile is one of: ${[...profiles.keys()].join(', ')}.`);

const folder = copyBuild();
if (flags.profile === undefined) await measure();
else console.log((await profileCalls(profiles.get(flags.profile), { workbench: useBuild(folder) })).join('\n'));
process.exit();

async function measure() {
  // Always 0 on Windows.
  const [load] = loadavg();
  const figures = createFigures((figure) => console.log(toLine(figure)));
  for (let run = 1; run <= runs; run++) {
    if (runs > 1) console.log(`── run ${run} of ${runs}`);
    for (const name of wanted) await runScenario(name, figures);
  }
  const all = figures.all();
  const { notes } = figures;
  if (runs > 1) console.log(['── medians of the runs', ...all.map(toLine)].join('\n'));
  for (const note of notes) console.log(note);
  const targeted = all.filter(({ verdict }) => verdict !== undefined);
  console.log(`${targeted.filter(({ verdict }) => verdict === 'ok').length} of ${targeted.length} targets met`);
  if (flags.json !== undefined)
    writeFileSync(flags.json, `${JSON.stringify({ rounds, runs, load, notes, figures: all }, null, 2)}\n`);
  if (flags.write) writeFileSync(join(root, 'docs/performance.md'), toPage(all, { notes, rounds, runs, load }));
}

function runScenario(name, figures) {
  return new Promise((resolve) => {
    // In a session of its own, as everything it starts; it ends when we do.
    const options = { serialization: 'advanced', detached: process.platform !== 'win32' };
    const child = fork(scenarioFile, [name, folder, String(rounds)], options);
    child.on('message', ({ figure, note }) => {
      if (figure !== undefined) figures.add(figure);
      if (note !== undefined) figures.note(note);
    });
    child.on('exit', (code) => {
      if (code !== 0) figures.note(`${name} was not measured to its end: it failed`);
      resolve();
    });
  });
}

function refuse(text) {
  console.error(text);
  process.exit(2);
}
