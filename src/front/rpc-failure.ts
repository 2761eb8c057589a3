/** Our failures as errors of the protocol, where there is no result that could tell them. */
import type { CallOutcome } from '../base/call.ts';
import { WorkbenchError } from '../base/errors.ts';
import type { Later } from '../base/eventual.ts';
import { rpcCode, rpcError } from '../base/rpc.ts';
import type { Address } from '../toolbox/toolbox.ts';
import { describeFailure } from './tool-result.ts';

export async function orRpcFailure(
  place: Pick<Address, 'toolbox' | 'server'>,
  run: () => Later<CallOutcome>,
): Promise<CallOutcome> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof WorkbenchError)) throw error;
    // It was there when it was looked up: the server has just taken it away.
    const code = error.code === 'WB1803' ? rpcCode.invalidParams : rpcCode.serverFailed;
    return { error: rpcError(code, describeFailure(error, place), { code: error.code }) };
  }
}
