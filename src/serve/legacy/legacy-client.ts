/** A handshake-era client as everything behind its edge knows it: it stays connected, can be asked and told, and says when it is gone. */

import type { CancelSignal } from '../../base/async/cancel-token.ts';
import type { Clock } from '../../base/async/clock.ts';
import { createEmitter } from '../../base/async/emitter.ts';
import type { Client, LogLevel } from '../../base/call/call.ts';
import { type Answer, findMissing, notDeclared, type Question } from '../../base/call/question.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { notificationText, type RpcId } from '../../base/rpc/rpc.ts';
import { createQuestions, type QuestionScope, type Questions } from './questions.ts';

export interface LegacyClientOptions {
  readonly name: string;
  readonly principal: string;
  readonly version?: string | undefined;
  readonly capabilities: JsonObject;
  readonly clock: Clock;
  /** The level from which on it wants log messages now. */
  logLevel(): LogLevel | undefined;
  /** Puts a message that belongs to no request on the client's wire. */
  send(line: string): void;
  /** A question as the client's revision has it. */
  toQuestion(question: Question): Question;
}

export interface LegacyClient {
  readonly client: Client;
  /** Asks what the client has declared to take; anything else gets an error. Ended by the signal as well. */
  open(send: (line: string) => void, signal?: CancelSignal): QuestionScope;
  answered(id: RpcId | null, answer: Answer): void;
  rootsChanged(): void;
  /** It can be told, but not asked any more. */
  silence(): void;
  close(): void;
}

type Put = (inquiry: LateInquiry, question: Question, withdrawn?: CancelSignal) => Promise<Answer>;

/** Few calls ask anything: an inquiry is opened by the first question. */
class LateInquiry implements QuestionScope {
  readonly #send: (line: string) => void;
  readonly #signal: CancelSignal | undefined;
  #begun: QuestionScope | undefined;
  #ended = false;
  readonly ask: QuestionScope['ask'];

  constructor(put: Put, send: (line: string) => void, signal: CancelSignal | undefined) {
    this.#send = send;
    this.#signal = signal;
    this.ask = (question, withdrawn) => put(this, question, withdrawn);
  }

  begun(questions: Questions): QuestionScope {
    if (this.#begun !== undefined) return this.#begun;
    this.#begun = questions.open(this.#send);
    this.#signal?.addEventListener('abort', this);
    if (this.#ended || this.#signal?.aborted === true) this.#begun.end();
    return this.#begun;
  }

  end(): void {
    this.#ended = true;
    this.#begun?.end();
  }

  handleEvent(): void {
    this.end();
  }
}

export function createLegacyClient(options: LegacyClientOptions): LegacyClient {
  const { name, principal, capabilities, clock, send } = options;
  const questions = createQuestions(clock);
  const roots = createEmitter<void>();
  const closed = createEmitter<void>();
  let isClosed = false;

  const put = (inquiry: LateInquiry, question: Question, withdrawn?: CancelSignal): Promise<Answer> => {
    if (findMissing(capabilities, question) !== undefined) return Promise.resolve({ error: notDeclared(question) });
    return inquiry.begun(questions).ask(options.toQuestion(question), withdrawn);
  };
  const open: LegacyClient['open'] = (to, signal) => new LateInquiry(put, to, signal);
  const general = open(send);

  return {
    client: {
      name,
      version: options.version,
      principal,
      session: {
        capabilities,
        get logLevel() {
          return options.logLevel();
        },
        ask: general.ask,
        tell(method, params) {
          if (!isClosed) send(notificationText(method, params));
        },
        onRootsChanged: roots.on,
        onClose(listener) {
          // A listener that comes too late must not wait for ever.
          if (isClosed) listener();
          return closed.on(listener);
        },
      },
    },
    open,
    answered: questions.answer,
    rootsChanged: () => roots.emit(),
    silence: questions.close,
    close() {
      if (isClosed) return;
      isClosed = true;
      questions.close();
      closed.emit();
    },
  };
}
