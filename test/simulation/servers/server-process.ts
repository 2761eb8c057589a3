/** A server as the Workbench starts it, without an operating system: its pipes are emptied by the schedule, line by line. */
import type { Clock } from '../../../src/base/async/clock.ts';
import { WorkbenchError } from '../../../src/base/errors/errors.ts';
import { findMember, findObject, type Json, type JsonObject } from '../../../src/base/json/json.ts';
import type { ProcessHandlers, ServerProcess, StartLocal } from '../../../src/downstream/process/process.ts';
import type { Judge } from '../checks/judge.ts';
import type { Generation } from '../checks/records.ts';
import type { Mouth, Server } from '../clients/mouth.ts';
import { createPipe, type Pipe } from '../clients/pipe.ts';
import type { Random } from '../random.ts';
import { Generations, type Member } from './generations.ts';
import { createLegacyServer } from './legacy-server.ts';
import { createModernServer, type States } from './modern-server.ts';
import type { ServerSpec } from './server-spec.ts';

export interface SimProcess extends Member {
  /** When it ended, and when the Workbench was told. */
  readonly exitedAt: number | undefined;
  readonly reportedAt: number | undefined;
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
  readonly generations: Generations;
  manner: (server: string) => Manner;
}

export interface FleetOptions {
  readonly judge: Judge;
  readonly random: Random;
  readonly clock: Clock;
  readonly specs: readonly ServerSpec[];
}

export function createFleet({ judge, random, clock, specs }: FleetOptions): Fleet {
  const processes: SimProcess[] = [];
  const generations = new Generations(judge, clock, processes);
  const states: States = new Map();
  const fleet: Fleet = {
    processes,
    generations,
    manner: () => 'serve',
    async startLocal(transport, handlers) {
      const { command } = transport;
      const spec = specs.find(({ name }) => name === command);
      if (spec === undefined) throw new Error(`no server '${command}'`);
      const generation = generations.starts(spec, transport);
      const manner = fleet.manner(command);
      const id = `${spec.name}#${processes.length + 1}`;
      judge.note(id, `started as ${generation.version}, will ${manner}`);
      if (manner === 'refuse') throw new WorkbenchError('WB1006', 'The simulation does not start it.');
      const start = { id, spec, generation, generations, manner, judge, random, clock, states };
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
  readonly generation: Generation;
  readonly generations: Generations;
  readonly clock: Clock;
  readonly manner: Manner;
  readonly judge: Judge;
  readonly random: Random;
  readonly states: States;
}

function startSimProcess(
  { id, spec, generation, generations, manner, judge, random, clock, states }: Start,
  handlers: ProcessHandlers,
  pid: number,
): { process: SimProcess; carrier: ServerProcess } {
  const inbox = createPipe(`> ${id}`);
  const outbox = createPipe(`< ${id}`);
  const givenUp = new Set<Json>();
  const open = new Set<Json>();
  let usedAt: number | undefined;
  let running = true;
  let exitedAt: number | undefined;
  let reportedAt: number | undefined;
  let onExited = () => {};
  const exited = new Promise<void>((resolve) => {
    onExited = resolve;
  });
  let stopping = false;

  const ended = (call: Json | undefined) => {
    if (call !== undefined && open.delete(call)) usedAt = clock.now();
  };
  const exit = (code: number) => {
    if (!running) return;
    running = false;
    exitedAt = clock.now();
    inbox.cut();
    outbox.push(`exits with ${code}`, () => {
      outbox.cut();
      reportedAt = clock.now();
      handlers.onExit({ code, signal: null });
      onExited();
    });
  };
  const mouth: Mouth = {
    id,
    spec,
    generation,
    get running() {
      return running;
    },
    say(message, onDelivered) {
      if (!running) return;
      const line = JSON.stringify({ jsonrpc: '2.0', ...message });
      outbox.push(line, () => {
        onDelivered?.();
        if (message.method === undefined) ended(message.id);
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
    { id, spec, generation, open, inbox, outbox, server, crash: mouth.crash },
    {
      running: { get: () => running },
      stopping: { get: () => stopping },
      usedAt: { get: () => usedAt },
      exitedAt: { get: () => exitedAt },
      reportedAt: { get: () => reportedAt },
    },
  ) as unknown as SimProcess;
  return {
    process,
    carrier: {
      pid,
      get running() {
        return running;
      },
      waiting: 0,
      send(line) {
        const message = JSON.parse(String(line)) as JsonObject;
        if (message.method === 'tools/call') {
          open.add(message.id ?? null);
          usedAt = clock.now();
        }
        if (message.method === 'notifications/cancelled') {
          const request = findMember(findObject(message, 'params') ?? {}, 'requestId') ?? null;
          givenUp.add(request);
          ended(request);
        }
        inbox.push(String(line), () => {
          if (manner === 'die') mouth.crash();
          else if (manner === 'serve') server.take(message);
        });
      },
      stderrTail: () => [],
      stop() {
        if (!stopping && running) generations.stops(process);
        if (!stopping) inbox.push('end of input', () => exit(0));
        stopping = true;
        return exited;
      },
    },
  };
}
