/**
 * `npm run bench`: measures the Workbench beside the least that a hop can cost. It prints what it finds and never fails over it.
 *
 *   --quick           fewer rounds: to see that it works, not to learn anything
 *   --only A,B        some of: stdio, http, delay, lists, cold, memory, sessions, peers
 *   --peers           also peers from npm, installed into a temporary folder, side by side
 *   --as-is           leaves variables for Node (NODE_…) in the environment of all that is measured; as a rule they are taken out
 *   --runs N          the whole N times; figures are medians of the runs
 *   --json FILE       everything as JSON
 *   --write           docs/performance.md
 *   --from FILE …     measures nothing: takes what --json saved, of several files the medians, for --write and --json
 *   --profile stdio   (or http, http-to-http) no figures, but where the time goes, with 64 calls in flight
 */
import { fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { root } from '../scripts/prepare.mjs';
import { createFigures } from './figures.mjs';
import { toPage } from './page.mjs';
import { peers } from './peers/catalog.mjs';
import { installPeers } from './peers/install.mjs';
import { profileCalls, profiles } from './profile.mjs';
import { toLine } from './report.mjs';
import { joinSaved } from './saved.mjs';
import { copyBuild, useBuild } from './workbench.mjs';

const always = ['stdio', 'http', 'delay', 'lists', 'cold', 'memory', 'sessions'];
const scenarios = [...always, 'peers'];
const scenarioFile = fileURLToPath(new URL('./scenario.mjs', import.meta.url));

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: always.join(',') },
    peers: { type: 'boolean', default: false },
    'as-is': { type: 'boolean', default: false },
    runs: { type: 'string', default: '1' },
    json: { type: 'string' },
    write: { type: 'boolean', default: false },
    from: { type: 'string' },
    profile: { type: 'string' },
  },
});
// For the processes that measure: they read it when they start.
if (flags['as-is']) process.env.BENCH_AS_IS = '1';
const rounds = flags.quick ? 3 : 8;
const runs = Math.max(1, Number.parseInt(flags.runs, 10) || 1);
const wanted = [...new Set([...flags.only.split(','), ...(flags.peers ? ['peers'] : [])])];
const unknown = wanted.find((name) => !scenarios.includes(name));
if (unknown !== undefined) refuse(`There is no '${unknown}'. Use some of: ${scenarios.join(', ')}.`);
if (flags.profile !== undefined && !profiles.has(flags.profile))
  refuse(`--profile is one of: ${[...profiles.keys()].join(', ')}.`);
if (flags.from === undefined && positionals.length > 0) refuse(`What is '${positionals[0]}'? Files belong to --from.`);

if (flags.from !== undefined) {
  const saved = [flags.from, ...positionals].map((file) => JSON.parse(readFileSync(file, 'utf8')));
  finish(joinSaved(saved));
} else {
  const folder = copyBuild();
  if (flags.profile === undefined) finish(await measure(folder));
  else console.log((await profileCalls(profiles.get(flags.profile), { workbench: useBuild(folder) })).join('\n'));
}
process.exit();

async function measure(folder) {
  // Always 0 on Windows.
  const [load] = loadavg();
  if (wanted.includes('peers')) await bringPeers(folder);
  const figures = createFigures((figure) => console.log(toLine(figure)));
  for (let run = 1; run <= runs; run++) {
    if (runs > 1) console.log(`── run ${run} of ${runs}`);
    for (const name of wanted) {
      const start = performance.now();
      await runScenario(name, folder, figures);
      console.log(`── ${name} took ${Math.round((performance.now() - start) / 1_000)} s`);
    }
  }
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${process.platform}, Node ${process.versions.node}`;
  const day = new Date().toISOString().slice(0, 10);
  const { each, all, notes } = figures;
  return { machine, day, rounds, runs, load, notes: notes(), figures: all(), each };
}

/** Prints what the runs come to, and leaves it where it was asked for. */
function finish(found) {
  const { figures, notes } = found;
  if (found.runs > 1) console.log(['── medians of the runs', ...figures.map(toLine)].join('\n'));
  for (const note of notes) console.log(note);
  const targeted = figures.filter(({ verdict }) => verdict !== undefined);
  console.log(`${targeted.filter(({ verdict }) => verdict === 'ok').length} of ${targeted.length} targets met`);
  if (flags.json !== undefined) writeFileSync(flags.json, `${JSON.stringify(found, null, 2)}\n`);
  if (flags.write) writeFileSync(join(root, 'docs/performance.md'), toPage(found));
}

/** Once for all runs; the scenario reads what came of it. */
async function bringPeers(folder) {
  console.log('Installing peers …');
  const packages = [...new Set(peers.map((peer) => peer.package).filter((name) => name !== undefined))];
  writeFileSync(join(folder, 'peers.json'), JSON.stringify([...(await installPeers(packages, folder))]));
}

function runScenario(name, folder, figures) {
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
