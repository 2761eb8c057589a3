/** A handshake-era client as everything behind its edge knows it: it stays connected, can be asked and told, and says when it is gone. */
import type { Client } from '../base/call.ts';
import type { Clock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import { type Answer, findMissing, notDeclared, type Question } from '../base/question.ts';
import { notificationText, type RpcId } from '../base/rpc.ts';
import { createSignal } from '../base/signal.ts';
import type { StopSignal } from '../base/stop.ts';
import { createQuestions, type Inquiry } from './questions.ts';

export interface LegacyClientOptions {
  readonly name: string;
  readonly principal: string;
  readonly capabilities: JsonObject;
  readonly clock: Clock;
  /** Puts a message that belongs to no request on the client's wire. */
  send(line: string): void;
  /** A question as the client's revision has it. */
  toQuestion(question: Question): Question;
}

export interface LegacyClient {
  readonly client: Client;
  /** Asks what the client has declared to take; anything else gets an error. Ended by the signal as well. */
  open(send: (line: string) => void, signal?: StopSignal): Inquiry;
  answered(id: RpcId | null, answer: Answer): void;
  rootsChanged(): void;
  /** It can be told, but not asked any more. */
  silence(): void;
  close(): void;
}

export function createLegacyClient(options: LegacyClientOptions): LegacyClient {
  const { name, principal, capabilities, clock, send } = options;
  const questions = createQuestions(clock);
  const roots = createSignal<void>();
  const closed = createSignal<void>();
  let isClosed = false;

  const open: LegacyClient['open'] = (to, signal) => {
    // Few calls ask anything: nothing is made ready before they do.
    let inquiry: Inquiry | undefined;
    let ended = false;
    const end = () => {
      ended = true;
      inquiry?.end();
    };
    const begin = () => {
      const begun = questions.open(to);
      signal?.addEventListener('abort', end);
      if (ended || signal?.aborted === true) begun.end();
      return begun;
    };
    return {
      async ask(question, withdrawn) {
        if (findMissing(capabilities, question) !== undefined) return { error: notDeclared(question) };
        inquiry ??= begin();
        return inquiry.ask(options.toQuestion(question), withdrawn);
      },
      end,
    };
  };
  const general = open(send);

  return {
    client: {
      name,
      principal,
      session: {
        capabilities,
        ask: general.ask,
        tell(method, params) {
          if (!isClosed) send(notificationText(method, params));
        },
        onRootsChanged: roots.on,
        onClose(listener) {
          // Who comes too late must not wait for ever.
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
