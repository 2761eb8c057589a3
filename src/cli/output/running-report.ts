/** Running Workbenches as `ps` and `stop` show them. */
import { type RunningServer, type RunningWorkbench, toPrintable } from '../../index.ts';
import type { Output } from './output.ts';
import { paintMark } from './server-report.ts';
import { type Row, toTable } from './table.ts';

export function showRunning(output: Output, workbenches: readonly RunningWorkbench[], now: number): void {
  const { paint, width } = output;
  const toRow = (
    { state, pid, since, memoryBytes }: Omit<RunningServer, 'name'>,
    name: string,
    about: string,
  ): Row => ({
    mark: marks[state],
    paintMark: (mark) => paintMark(paint, mark),
    cells: [name, String(pid), state, toAge(since, now), toSize(memoryBytes), about],
  });
  const rows = workbenches.flatMap((workbench) => [
    toRow(workbench, toServes(workbench), toPrintable(workbench.config ?? '')),
    ...workbench.servers.map((server) => toRow(server, `  ${toPrintable(server.name, 80)}`, '')),
  ]);
  const columns = [
    { title: 'WORKBENCH', flexible: true },
    { title: 'PID', align: 'right' as const },
    { title: 'STATE' },
    { title: 'SINCE', align: 'right' as const },
    { title: 'MEMORY', align: 'right' as const },
    { title: 'CONFIG', flexible: true },
  ];
  for (const line of toTable({ width, columns, rows })) output.line(line);
  for (const { pid, mistakes } of workbenches) {
    for (const mistake of mistakes) output.line(`${paintMark(paint, '!')} ${pid}: ${toPrintable(mistake, 1_000)}`);
  }
}

const marks = { running: '✓', gone: '✗', unknown: '!' } as const;

/** How clients reach it. */
function toServes({ serves }: RunningWorkbench): string {
  if (serves.length === 0) return 'starting';
  return serves.map((way) => (way.kind === 'http' ? `http :${way.port}` : way.kind)).join(', ');
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const;

/** How long ago, in the largest unit that fits. */
function toAge(since: string, now: number): string {
  const ms = now - Date.parse(since);
  if (!Number.isFinite(ms)) return '–';
  const [unit, length] = units.find(([, size]) => ms >= size) ?? ['s', 1_000];
  return `${Math.max(0, Math.floor(ms / length))} ${unit}`;
}

function toSize(bytes: number | undefined): string {
  return bytes === undefined ? '–' : `${Math.max(1, Math.round(bytes / 1_048_576))} MB`;
}

/** Stable keys, without undefined values. */
export function toRunningJson(workbenches: readonly RunningWorkbench[]) {
  return {
    schemaVersion: 1,
    workbenches: workbenches.map(({ config, servers, serves, mistakes, ...process }) => ({
      ...toProcessJson(process),
      config: config ?? null,
      serves,
      mistakes,
      servers: servers.map(({ name, ...each }) => ({ name, ...toProcessJson(each) })),
    })),
  };
}

function toProcessJson({ pid, state, since, memoryBytes }: Omit<RunningServer, 'name'>) {
  return { pid, state, since, memoryBytes: memoryBytes ?? null };
}
