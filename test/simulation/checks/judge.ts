/**
 * Holds a schedule to the promises: nothing is lost, crossed, answered twice or left hanging. Both ends tell it what they say and
 * hear; it knows nothing of what is between them.
 */
import type { Clock } from '../../../src/base/async/clock.ts';
import { isQuestionMethod, type QuestionMethod } from '../../../src/base/call/question.ts';
import { findMember, findObject, findString, isObject, type JsonObject } from '../../../src/base/json/json.ts';
import { readMarks } from './marks.ts';
import { type Attempt, type CallRecord, createTally, type QuestionRecord, type Watched } from './records.ts';

/** How long the Workbench keeps a question open. */
const answerMs = 10 * 60_000;
const capabilityOf: Readonly<Record<QuestionMethod, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

export class Judge {
  readonly faults: string[] = [];
  readonly tally = createTally();
  readonly attempts: Attempt[] = [];
  readonly calls = new Map<string, CallRecord>();
  readonly questions = new Map<string, QuestionRecord>();
  /** Log messages that have reached the Workbench while their call was still wanted, so that they belong to nobody else. */
  readonly logsUnderWay = new Set<number>();
  #logs = 0;
  /** The end has begun: what clients wait for may be given up. */
  closing = false;
  readonly #clock: Clock;
  readonly #trace: (readonly [at: number, who: string, text: string])[] = [];
  /** Told when a change of a resource has reached the Workbench from the only process of its server. */
  onAnnounced: (process: Watched, uri: string) => void = () => {};
  /** Told when a call has reached the Workbench, by a name that means something there or not, and when nobody waits for it any more. */
  onReceived: (attempt: Attempt, named: boolean) => void = () => {};
  onOver: (attempt: Attempt) => void = () => {};
  /** Told when a call has arrived at a server. */
  onArrived: (process: Watched, attempt: Attempt) => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(who: string, text: string): void {
    this.#trace.push([this.#clock.now(), who, text]);
  }

  fail(fault: string): void {
    this.note('FAULT', fault);
    this.faults.push(fault);
  }

  get trace(): string {
    return this.#trace.map(([at, who, text]) => `${String(at).padStart(8)} ${who.padEnd(14)} ${text}`).join('\n');
  }

  /** A client makes a request. */
  begin(parts: Pick<Attempt, 'owner' | 'method'> & Partial<Attempt>): Attempt {
    const number = this.attempts.length + 1;
    const rest = { intent: 'plain', ours: false, since: this.#clock.now() } as const;
    const attempt: Attempt = {
      ...rest,
      ...parts,
      number,
      reloads: 0,
      answers: 0,
      cancelled: false,
      served: false,
      progress: Number.NEGATIVE_INFINITY,
    };
    this.attempts.push(attempt);
    return attempt;
  }

  call(parts: Pick<CallRecord, 'nonce' | 'owner' | 'spec' | 'repeatable'>): void {
    this.tally.calls++;
    this.calls.set(parts.nonce, { ...parts, arrivals: [], answered: false });
  }

  announced(process: Watched, uri: string): void {
    this.onAnnounced(process, uri);
  }

  /** A call has arrived at a server. */
  arrived(process: Watched, params: JsonObject): void {
    const { nonce = '', attempt: number = 0 } = readMarks(params);
    const call = this.calls.get(nonce);
    const attempt = this.attempts[number - 1];
    if (call === undefined || attempt === undefined) {
      this.fail(`call '${nonce}' should never have reached ${process.id}`);
      return;
    }
    if (call.spec !== process.spec) this.fail(`call '${nonce}' for ${call.spec.name} reached ${process.id}`);
    if (attempt.ours && attempt.intent !== 'right')
      this.fail(`request ${number} with a state that is ${attempt.intent} reached ${process.id}`);
    this.onArrived(process, attempt);
    // A legacy server gets a call once; the rounds of a modern one differ in their state.
    const key = process.spec.era === 'legacy' ? '' : `${number} ${JSON.stringify(params.requestState ?? null)}`;
    for (const earlier of call.arrivals)
      if (earlier.key === key && !(call.repeatable && !earlier.process.running))
        this.fail(`call '${nonce}' ran twice: at ${earlier.process.id} and ${process.id}`);
    call.arrivals.push({ process, key });
  }

  /** The answer of a server has reached the Workbench, which still waited for it. */
  served({ nonce, attempt: number }: { readonly nonce: string; readonly attempt: number }): void {
    const call = this.calls.get(nonce);
    const attempt = this.attempts[number - 1];
    // Every round of a call to a modern server is answered by itself.
    if (call?.spec.era === 'legacy') call.answered = true;
    else if (attempt !== undefined) attempt.served = true;
  }

  /** A request of a client was answered. */
  answered(attempt: Attempt, message: JsonObject): void {
    const { number, nonce, intent, ours } = attempt;
    if (++attempt.answers > 1) this.fail(`request ${number} was answered ${attempt.answers} times`);
    if (attempt.method !== 'tools/call') return;
    const error = findObject(message, 'error');
    const result = findObject(message, 'result') ?? {};
    const code = error && findString(findObject(error, 'data') ?? {}, 'code');
    if (ours && intent !== 'right') {
      this.tally.refusedStates++;
      // Of what was tampered with it may be found out late that it is nothing.
      const refused = code === 'WB1806' || (intent === 'tampered' && (error !== undefined || result.isError === true));
      if (!refused || findNonce(message) !== undefined)
        this.fail(`request ${number} with a state that is ${intent} was not refused`);
      return;
    }
    if (code === 'WB1806') {
      const isFresh = ours && this.#clock.now() - attempt.since < answerMs;
      if (isFresh && !this.closing) this.fail(`request ${number} with a good state was refused`);
      return;
    }
    if (findMember(result, 'resultType') === 'input_required') return;
    if (ours) this.tally.resumed++;
    const carried = findNonce(message);
    if (carried !== undefined) {
      this.tally.answers++;
      if (carried !== nonce) this.fail(`request ${number} of '${nonce}' got the answer of '${carried}'`);
      return;
    }
    this.tally.failures++;
    if (error === undefined && result.isError !== true) this.fail(`the answer to request ${number} says nothing`);
    const served = attempt.served || this.calls.get(nonce ?? '')?.answered === true;
    if (served && !attempt.cancelled && !this.closing)
      this.fail(`the answer of the server to '${nonce}' was lost: request ${number} got another`);
  }

  /** `attempts`: what its client has asked for so far. */
  progressed(owner: string, attempts: Iterable<Attempt>, params: JsonObject): void {
    const token = findMember(params, 'progressToken');
    const attempt = [...attempts].find((each) => each.token === token);
    if (attempt === undefined) {
      this.fail(`${owner} got progress with a token that is not its own`);
      return;
    }
    this.tally.progress++;
    const { number } = attempt;
    if (attempt.answers > 0) this.fail(`request ${number} got progress after its answer`);
    const value = Number(params.progress);
    if (!(value > attempt.progress)) this.fail(`progress of request ${number}: ${value} after ${attempt.progress}`);
    attempt.progress = value;
    const nonce = findString(params, 'message');
    // What the Workbench itself says, that a server is starting, names no call.
    if (nonce?.startsWith('n') && nonce !== attempt.nonce)
      this.fail(`request ${number} got the progress of '${nonce}'`);
  }

  /** A server logs: the number of the message. */
  log(): number {
    return ++this.#logs;
  }

  logged(owner: string, params: JsonObject): void {
    const nonce = findString(findObject(params, 'data') ?? {}, 'nonce');
    if (nonce === undefined) return;
    this.tally.logs++;
    const of = this.calls.get(nonce)?.owner;
    const line = Number(findMember(findObject(params, 'data') ?? {}, 'line'));
    // What a server says of a call that is over may go to the only client that is connected.
    if (of !== owner && this.logsUnderWay.has(line))
      this.fail(`${owner} got a log message of '${nonce}', a call of ${of}`);
  }

  /** A server asks. */
  ask(parts: Pick<QuestionRecord, 'tag' | 'nonce' | 'method' | 'process'>): QuestionRecord {
    const question = { ...parts, delivered: false, underWay: false, withdrawn: false, answers: 0 };
    this.questions.set(parts.tag, question);
    return question;
  }

  /** A client is asked, perhaps as the answer to one of its calls; the tag of the question when it is known. */
  asked(
    { owner, capabilities, during }: { owner: string; capabilities: JsonObject; during?: string },
    { method, params }: JsonObject,
  ): string | undefined {
    const { tag = '' } = readMarks(isObject(params) ? params : {});
    const question = this.questions.get(tag);
    if (question === undefined || !isQuestionMethod(method)) {
      this.fail(`${owner} was asked '${String(method)}', which nobody asks`);
      return undefined;
    }
    this.tally.questions++;
    const { nonce, process } = question;
    const of = nonce === undefined ? undefined : this.calls.get(nonce)?.owner;
    // Of a call that is over, or of none, it may go to the only client that is connected.
    if (question.underWay && of !== owner)
      this.fail(`${owner} was asked '${tag}' of ${process.id}, which is for ${of}`);
    // Only a server of the stateless era says which of the calls of its client it is about.
    if (during !== undefined && nonce !== during && question.underWay && process.spec.era === 'modern')
      this.fail(`${owner} was asked '${tag}' of call '${nonce}' during '${during}'`);
    if (question.method !== method) this.fail(`'${tag}' was turned into '${method}'`);
    if (!Object.hasOwn(capabilities, capabilityOf[method])) this.fail(`${owner} does not take '${method}'`);
    return tag;
  }

  /** A server got the answer to its question. */
  replied(question: QuestionRecord, message: JsonObject): void {
    const { tag } = question;
    if (++question.answers > 1) this.fail(`question '${tag}' was answered ${question.answers} times`);
    const result = findObject(message, 'result');
    if (result === undefined) {
      this.tally.refusals++;
      return;
    }
    this.tally.replies++;
    const marks = readMarks(result);
    // What is said for a person who never came.
    if (marks.tag === undefined && result.action === 'cancel') return;
    if (marks.tag !== tag) this.fail(`'${tag}' got the answer to '${marks.tag}'`);
    const attempt = this.attempts[(marks.attempt ?? 0) - 1];
    if (attempt !== undefined && attempt.intent !== 'right')
      this.fail(`'${tag}' was answered by request ${attempt.number}, whose state is ${attempt.intent}`);
  }
}

function findNonce(message: JsonObject): string | undefined {
  const error = findObject(message, 'error');
  if (error !== undefined) return /^(?:\[\S+\] Error: )?failed (n\d+)$/.exec(findString(error, 'message') ?? '')?.[1];
  return findString(findObject(findObject(message, 'result') ?? {}, 'structuredContent') ?? {}, 'nonce');
}
