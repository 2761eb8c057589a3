/** What came back for a request, and what kind of answer that is. */

export type Json = Record<string, unknown>;

export type Answer =
  | { readonly kind: 'result'; readonly result: Json }
  | { readonly kind: 'error'; readonly code: number; readonly message: string }
  /** The exchange ended in order and without an answer, as it does for a request that was cancelled. */
  | { readonly kind: 'none' }
  /** It did not end in order. */
  | { readonly kind: 'failed'; readonly why: string };

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function toAnswer(message: Json): Answer {
  if (isObject(message.result)) return { kind: 'result', result: message.result };
  const { code, message: text } = (message.error ?? {}) as { code?: number; message?: string };
  return { kind: 'error', code: code ?? 0, message: text ?? '' };
}

/** The text of a tool's result. */
export function textOf(result: Json): string {
  const [first] = Array.isArray(result.content) ? (result.content as Json[]) : [];
  return typeof first?.text === 'string' ? first.text : '';
}

/** In a word: `result`, the code of a failure of the Workbench, or the code of an error. */
export function kindOf(answer: Answer): string {
  switch (answer.kind) {
    case 'result': {
      if (answer.result.isError !== true) return 'result';
      return /\[(WB\d{4})\]$/.exec(textOf(answer.result))?.[1] ?? 'isError';
    }
    case 'error':
      return `error ${answer.code}`;
    default:
      return answer.kind;
  }
}
