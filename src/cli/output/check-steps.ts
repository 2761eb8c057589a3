/** The steps to a working server, derived from its status: which were done, which one failed, which were not tried. */
import type { ErrorCode, ServerStatus } from '../../index.ts';
import { hasFailed, toToolCount } from './server-report.ts';

export interface CheckStep {
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'waiting' | 'untried';
  readonly detail?: string;
}

const localSteps = ['command found', 'started', 'handshake', 'tools'] as const;
const remoteSteps = ['reached', 'handshake', 'tools'] as const;
type Step = (typeof localSteps)[number] | (typeof remoteSteps)[number];

/** The step at which each failure happens; any other failure fails the handshake, the step that proves a server. */
const failedStep = new Map<ErrorCode, Step>([
  ['WB1001', 'command found'],
  ['WB1002', 'started'],
  ['WB1023', 'started'],
  ['WB1302', 'reached'],
  ['WB1303', 'reached'],
  ['WB1304', 'reached'],
  ['WB1305', 'reached'],
  ['WB1312', 'reached'],
  ['WB1010', 'tools'],
  ['WB1014', 'tools'],
  ['WB1024', 'tools'],
  ['WB1025', 'tools'],
]);

export function toCheckSteps(status: ServerStatus): CheckStep[] {
  const steps: readonly Step[] = status.transport === 'stdio' ? localSteps : remoteSteps;
  const { state, failure } = status;
  if (state === 'disabled' || state === 'configured' || state === 'known')
    return steps.map((name) => ({ name, state: 'untried' }));
  const stopped = failure !== undefined && hasFailed(status) ? findStop(steps, failure.code) : steps.length;
  const waiting = state === 'starting' ? steps.indexOf('handshake') : steps.length;
  return steps.map((name, at) => {
    if (at === stopped) return { name, state: 'failed' };
    if (at === waiting) return { name, state: 'waiting', detail: 'no answer yet' };
    if (at > stopped || at > waiting) return { name, state: 'untried' };
    const detail = toDetail(name, status);
    return detail === undefined ? { name, state: 'passed' } : { name, state: 'passed', detail };
  });
}

function findStop(steps: readonly Step[], code: ErrorCode): number {
  const at = steps.indexOf(failedStep.get(code) ?? 'handshake');
  return at < 0 ? steps.indexOf('handshake') : at;
}

function toDetail(step: Step, status: ServerStatus): string | undefined {
  const { era, protocolVersion, info, startMs } = status;
  if (step === 'handshake') {
    const who = info === undefined ? undefined : `${info.name} ${info.version}`;
    const took = startMs === undefined ? undefined : `${(startMs / 1_000).toFixed(1)} s`;
    const parts = [era, protocolVersion, who, took].filter((part) => part !== undefined);
    return parts.length === 0 ? undefined : parts.join(', ');
  }
  return step === 'tools' ? toToolCount(status) : undefined;
}
