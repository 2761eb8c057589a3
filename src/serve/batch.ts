/** The answers to a batch, which go out together: so much together, then each that is too much is told so instead. */
import type { Later } from '../base/eventual.ts';
import type { Text } from '../base/long-text.ts';
import { errorText, rpcCode, rpcError } from '../base/rpc.ts';
import type { Message } from './message.ts';

const mostJoined = 16 * 1024 * 1024;

/** In the order of the messages, as far as there is something to say. */
export async function joinAnswers<T extends Text>(
  messages: readonly Message[],
  take: (message: Message) => Later<T | string | undefined> | undefined,
  most = mostJoined,
): Promise<(T | string)[]> {
  let room = most;
  const answers = messages.flatMap((message) => {
    const answer = take(message);
    if (answer === undefined) return [];
    return answer.then((text) => {
      if (text === undefined || text.length <= room) {
        room -= text?.length ?? 0;
        return text;
      }
      return errorText('id' in message ? message.id : null, over);
    });
  });
  return (await Promise.all(answers)).filter((text) => text !== undefined);
}

const over = rpcError(
  rpcCode.serverFailed,
  'The answers of this batch are too large together. Ask for this one by itself.',
  { code: 'WB1316' },
);
