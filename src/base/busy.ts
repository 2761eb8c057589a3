/**
 * There is too much under way to take one more: nothing was done, and trying again later helps. Thrown past everything that
 * turns failures into results, up to the edge of the client: a refusal is not an answer of a tool.
 */
import { type RpcError, rpcCode, rpcError } from './rpc.ts';

export class Busy extends Error {
  /** `what` says of what there is too much. */
  constructor(what: string) {
    super(`busy: ${what} Nothing was done; try again in a moment.`);
    this.name = 'Busy';
  }

  toRpcError(): RpcError {
    return rpcError(rpcCode.serverFailed, this.message, { code: 'WB1019' });
  }
}
