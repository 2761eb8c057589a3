/** Log messages for a handshake-era client: the level that it sets, and warnings of the Workbench itself. */
import { isLogLevel, type Outcome, reaches } from '../../base/call/call.ts';
import { findMember, type JsonObject } from '../../base/json/json.ts';
import { RawJson } from '../../base/json/raw-json.ts';
import { notificationText, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import type { LegacyState } from './legacy-state.ts';

export function setLegacyLevel(state: LegacyState, params: JsonObject): Outcome {
  const level = findMember(params, 'level');
  if (!isLogLevel(level))
    return { error: rpcError(rpcCode.invalidParams, '"level" must be one of the eight log levels.') };
  state.features = { ...state.features, logLevel: level };
  state.front.setLogLevel(level, state.connected.client);
  return { result: RawJson.of({}) };
}

/** Until a client sets a level, it hears the warnings that its person has to act on. Returns the function that ends it. */
export function tellWarnings(state: LegacyState, logger: string): () => void {
  return state.front.onWarning((data) => {
    const { logLevel } = state.features;
    if (logLevel === undefined || reaches('warning', logLevel))
      state.send(notificationText('notifications/message', { level: 'warning', logger, data }));
  });
}
