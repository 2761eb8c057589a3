/** The answers to a batch, which go out together: each that would make them too large is replaced by an error. */
import type { Text } from '../../base/json/chunked-text.ts';
import { errorText, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import type { Answered } from './conversation.ts';
import type { Message } from './message.ts';

const maxJoined = 16 * 1024 * 1024;

/** The answers that there are, in the order of the messages. */
export async function joinAnswers(
  messages: readonly Message[],
  receive: (message: Message) => Promise<Answered | undefined>,
  most = maxJoined,
): Promise<Text[]> {
  let room = most;
  const answers = messages.map(async (message) => {
    const text = (await receive(message))?.text;
    if (text === undefined || text.length <= room) {
      room -= text?.length ?? 0;
      return text;
    }
    return errorText('id' in message ? message.id : null, over);
  });
  return (await Promise.all(answers)).filter((text) => text !== undefined);
}

const over = rpcError(
  rpcCode.serverFailed,
  'The answers of this batch are too large together. Ask for this one by itself.',
  { code: 'WB1316' },
);
