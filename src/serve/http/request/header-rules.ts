/**
 * Headers of the stateless era repeat parts of the body, so that proxies can decide without reading it. What a
 * header says and what the body says must be the same, or the two could be treated differently.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { decodeHeaderValue } from '../../../base/call/header-value.ts';
import { findParamHeaders } from '../../../base/call/param-headers.ts';
import { findMember, findObject, isObject, type Json, type JsonObject } from '../../../base/json/json.ts';
import { methodFacts } from '../../../base/rpc/mcp.ts';
import { type RpcError, rpcCode, rpcError } from '../../../base/rpc/rpc.ts';
import type { Request } from '../../conversation/message.ts';
import { findVersion } from '../../modern/modern.ts';

export function findHeaderFault(request: Request, headers: IncomingHttpHeaders): RpcError | undefined {
  const version = findVersion(request);
  if (typeof version === 'string' && headers['mcp-protocol-version'] !== version)
    return mismatch('MCP-Protocol-Version', 'the protocol version in params._meta');
  if (headers['mcp-method'] !== request.method) return mismatch('Mcp-Method', '"method"');
  const key = methodFacts(request.method).named?.key;
  if (key === undefined) return undefined;
  const name = findMember(request.params, key);
  const given = headerText(headers, 'mcp-name');
  const fits =
    typeof name === 'string' ? given !== undefined && decodeHeaderValue(given) === name : given === undefined;
  return fits ? undefined : mismatch('Mcp-Name', `"params.${key}"`);
}

/** The same for the arguments that the input schema of a tool wants repeated. */
export function findParamFault(
  { params }: Request,
  headers: IncomingHttpHeaders,
  inputSchema: JsonObject,
): RpcError | undefined {
  const wanted = findParamHeaders(inputSchema);
  if (wanted.length === 0) return undefined;
  const values = findObject(params, 'arguments') ?? {};
  for (const { header, path } of wanted) {
    const value = findValue(values, path);
    const given = headerText(headers, header);
    if (isRepeatable(value) ? given === undefined || !says(given, value) : given !== undefined)
      return mismatch(header, `the argument "${path.join('.')}"`);
  }
  return undefined;
}

function findValue(root: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = root;
  for (const key of path) value = isObject(value) ? findMember(value, key) : undefined;
  return value;
}

type Repeatable = string | number | boolean;

/** Whether a header can hold it; a number that was rounded when it was read cannot be compared. */
function isRepeatable(value: Json | undefined): value is Repeatable {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value === 'string' || typeof value === 'boolean';
}

function says(header: string, value: Repeatable): boolean {
  const text = decodeHeaderValue(header);
  if (text === undefined) return false;
  if (typeof value !== 'number') return text === String(value);
  return text.length <= 40 && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) && Number(text) === value;
}

function headerText(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Neither value is repeated: both may hold what should not be in a log. */
function mismatch(header: string, what: string): RpcError {
  return rpcError(
    rpcCode.headerMismatch,
    `The header ${header} is missing, malformed or differs from ${what}. List the tools again and repeat the request with matching headers.`,
  );
}
