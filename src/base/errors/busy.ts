/**
 * Too much is under way to accept one more request: nothing was done, and a later try helps. Thrown past all code that turns
 * failures into results, up to the edge of the client, because a refusal is not an answer of a tool.
 */
import { type RpcError, rpcCode, rpcError } from '../rpc/rpc.ts';

export class Busy extends Error {
  /** `what` says what there is too much of. */
  constructor(what: string) {
    super(`busy: ${what} Nothing was done; try again in a moment.`);
    this.name = 'Busy';
  }

  toRpcError(): RpcError {
    return rpcError(rpcCode.serverFailed, this.message, { code: 'WB1019' });
  }
}
