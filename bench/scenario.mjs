/**
 * One scenario in a process of its own, told to the parent: `scenario.mjs NAME FOLDER ROUNDS`. A process that has grown with an
 * earlier scenario starts programs more slowly, and collects garbage in the middle of the next one.
 */
import { measureCalls } from './scenarios/calls.mjs';
import { measureColdStart } from './scenarios/cold-start.mjs';
import { measureDelay } from './scenarios/delay.mjs';
import { measureLists } from './scenarios/lists.mjs';
import { measureMemory } from './scenarios/memory.mjs';
import { measurePeers } from './scenarios/peers.mjs';
import { measureSessions } from './scenarios/sessions.mjs';
import { useBuild } from './workbench.mjs';

const scenarios = new Map([
  ['stdio', (bench) => measureCalls('stdio', bench)],
  ['http', (bench) => measureCalls('http', bench)],
  ['delay', measureDelay],
  ['lists', measureLists],
  ['cold', measureColdStart],
  ['memory', measureMemory],
  ['sessions', measureSessions],
  ['peers', measurePeers],
]);

const [name, folder, rounds] = process.argv.slice(2);
process.on('disconnect', () => process.exit(1));
const tell = (message) => new Promise((resolve) => process.send(message, resolve));
await scenarios.get(name)({
  workbench: useBuild(folder),
  rounds: Number(rounds),
  figures: { add: (figure) => tell({ figure }), note: (note) => tell({ note }) },
});
await tell({ done: true });
process.exit();
