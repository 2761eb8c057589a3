/** The metadata that revision 2026-07-28 wants on every request. */
import { isObject, type JsonObject } from '../../src/base/json/json.ts';

export const metaKey = (name: string) => `io.modelcontextprotocol/${name}`;

export interface Envelope {
  readonly version?: string;
  readonly logLevel?: string;
  readonly progressToken?: string | number;
}

/** The params with that metadata; what their own `_meta` says wins. */
export function withEnvelope(params: JsonObject, { version = '2026-07-28', logLevel, progressToken }: Envelope = {}) {
  const meta: JsonObject = {
    [metaKey('protocolVersion')]: version,
    [metaKey('clientInfo')]: { name: 'raw-client', version: '1.0.0' },
    [metaKey('clientCapabilities')]: {},
    ...(logLevel === undefined ? {} : { [metaKey('logLevel')]: logLevel }),
    ...(progressToken === undefined ? {} : { progressToken }),
  };
  return { ...params, _meta: { ...meta, ...(isObject(params._meta) ? params._meta : {}) } };
}
