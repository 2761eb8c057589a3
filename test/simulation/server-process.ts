/** A server as the Workbench starts it, without an operating system: its pipes are emptied by the schedule, line by line. */
import { WorkbenchError } from '../../src/base/errors.ts';
import { findMember, findObject, type Json, type JsonObject } from '../../src/base/json.ts';
import type { StartLocal } from '../../src/downstream/connect-stdio.ts';
import type { ProcessHandlers, ServerProcess } from '../../src/downstream/process.ts';
import type { Judge } from './judge.ts';
import { createLegacyServer } from './legacy-server.ts';
import { createModernServer, type States } from './modern-server.ts';
import type { Mouth, Server } from './mouth.ts';
import { createPipe, type Pipe } from './pipe.ts';
import type { Random } from './random.ts';
import type { ServerSpec, Watched } from './records.ts';

export interface SimProcess extends Watched {
  readonly inbox: Pipe;
  readonly outbox: Pipe;
  readonly server: Server;
  /** It ends by itself. */
  crash(): void;
}

/** How a process meets the Workbench. `mute`: it says nothing. `die`: of the first message. `refuse`: cannot be started. */
export type Manner = 'serve' | 'mute' | 'die' | 'refuse';

export interface Fleet {
  readonly startLocal: StartLocal;
  readonly processes: SimProcess[];
  manner: () => Manner;
}

export function createFleet(judge: Judge, random: Random, specs: ReadonlyMap<string, ServerSpec>): Fleet {
  const processes: SimProcess[] = [];
  const states: States = new Map();
  const fleet: Fleet = {
    processes,
    manner: () => 'serve',
    async startLocal({ command }, handlers) {
      const spec = specs.get(command);
      if (spec === undefined) throw new Error(`no server '${command}'`);
      const manner = fleet.manner();
      const id = `${spec.name}#${processes.length + 1}`;
      judge.note(id, `started, will ${manner}`);
      if (manner === 'refuse') throw new WorkbenchError('WB1006', 'The simulation does not start it.');
      const start = { id, spec, manner, judge, random, states };
      const { process, carrier } = startSimProcess(start, handlers, processes.length + 1);
      processes.push(process);
      return carrier;
    },
  };
  return fleet;
}

interface Start {
  readonly id: string;
  readonly spec: ServerSpec;
  readonly manner: Manner;
  readonly judge: Judge;
  readonly random: Random;
  readonly states: States;
}

function startSimProcess(
  { id, spec, manner, judge, random, states }: Start,
  handlers: ProcessHandlers,
  pid: number,
): { process: SimProcess; carrier: ServerProcess } {
  const inbox = createPipe(`> ${id}`);
  const outbox = createPipe(`< ${id}`);
  const givenUp = new Set<Json>();
  let running = true;
  let onExited = () => {};
  const exited = new Promise<void>((resolve) => {
    onExited = resolve;
  });
  let stopping = false;

  const exit = (code: number) => {
    if (!running) return;
    running = false;
    inbox.cut();
    outbox.push(`exits with ${code}`, () => {
      outbox.cut();
      handlers.onExit({ code, signal: null });
      onExited();
    });
  };
  const mouth: Mouth = {
    id,
    spec,
    callers: new Set(),
    get running() {
      return running;
    },
    say(message, onDelivered) {
      if (!running) return;
      const line = JSON.stringify({ jsonrpc: '2.0', ...message });
      outbox.push(line, () => {
        onDelivered?.();
        handlers.onLine(line);
      });
    },
    isGivenUp: (request) => request !== undefined && givenUp.has(request),
    crash() {
      judge.tally.crashes++;
      exit(1);
    },
  };
  const server = (spec.era === 'legacy' ? createLegacyServer : createModernServer)(mouth, { judge, random, states });

  const process: SimProcess = Object.defineProperties(
    { id, spec, callers: mouth.callers, inbox, outbox, server, crash: mouth.crash },
    { running: { get: () => running } },
  ) as SimProcess;
  return {
    process,
    carrier: {
      pid,
      get running() {
        return running;
      },
      waiting: 0,
      send(line) {
        const message = JSON.parse(line) as JsonObject;
        if (message.method === 'notifications/cancelled')
          givenUp.add(findMember(findObject(message, 'params') ?? {}, 'requestId') ?? null);
        inbox.push(line, () => {
          if (manner === 'die') mouth.crash();
          else if (manner === 'serve') server.take(message);
        });
      },
      stderrTail: () => [],
      stop() {
        if (!stopping) inbox.push('end of input', () => exit(0));
        stopping = true;
        return exited;
      },
    },
  };
}
