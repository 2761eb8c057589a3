/** Edits the configuration file: one server more, a broken file, other bad servers, one server less; and looks what comes of it. */
import { renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SoakClient } from '../clients/client.ts';
import type { Tally } from '../tally.ts';
import { type Edit, extraServer, type Scenery, separator, toConfig } from './scenery.ts';

const editEveryMs = 8_000;
/** How long it may take until an edit shows. */
const patienceMs = 20_000;

export interface Edits {
  /** Settles when the file is as it was, but for the bad servers, and that shows. */
  stop(): Promise<void>;
}

export interface EditOptions {
  readonly scenery: Scenery;
  readonly configFile: string;
  /** Looks at the list of tools. */
  readonly client: SoakClient;
  readonly tally: Tally;
  hangUp(): void;
}

export function startEdits({ scenery, configFile, client, tally, hangUp }: EditOptions): Edits {
  let edit: Edit = { generation: 0, extra: false };
  let count = 0;
  let looking = false;
  let seen = Promise.resolve();
  const isListed = async () => {
    const answer = await client.ask({ method: 'tools/list', params: {} }).answer;
    const tools = answer.kind === 'result' ? (answer.result.tools as { name: string }[]) : [];
    return tools.some(({ name }) => name === `${extraServer}${separator}work`);
  };
  const look = async () => {
    const until = Date.now() + patienceMs;
    looking = true;
    while ((await isListed()) !== edit.extra) {
      if (Date.now() > until) {
        tally.fault('reloads', `after edit ${count} the list is not what the file says`);
        break;
      }
      await sleep(250);
    }
    looking = false;
  };
  const write = (text: string) => {
    // As editors do: some write into the file, some put another in its place.
    if (count % 2 === 0) writeFileSync(configFile, text);
    else {
      writeFileSync(`${configFile}.new`, text);
      renameSync(`${configFile}.new`, configFile);
    }
    tally.count('edits of the configuration');
    seen = look();
  };
  const timer = setInterval(() => {
    if (looking) return;
    const kind = count++ % 4;
    if (kind === 0) edit = { ...edit, extra: true };
    if (kind === 2) edit = { ...edit, generation: edit.generation + 1 };
    if (kind === 3) edit = { ...edit, extra: false };
    write(kind === 1 ? '{ "mcpServers": { "broken": ' : JSON.stringify(toConfig(scenery, edit)));
    if (kind === 2) hangUp();
  }, editEveryMs);
  return {
    async stop() {
      clearInterval(timer);
      await seen;
      edit = { ...edit, extra: false };
      write(JSON.stringify(toConfig(scenery, edit)));
      await seen;
    },
  };
}
