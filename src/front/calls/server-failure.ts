/**
 * The message of a server whose tool was called wrongly or failed, with what a model needs to do better. The server's own text
 * comes first.
 */
import type { Call, CallOutcome } from '../../base/call/call.ts';
import { findMember, findObject, findString, isObject } from '../../base/json/json.ts';
import { type RpcError, rpcCode } from '../../base/rpc/rpc.ts';
import { withoutHiddenInName } from '../../base/text/hidden.ts';
import { toPrintable } from '../../base/text/printable.ts';
import { type Address, type Entry, findEntry } from '../../toolbox/toolbox.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';
import { breaksSchema, describeSignature } from './signature.ts';

/** `[toolbox/server/tool]`. */
export function toPlaceText({ toolbox, server, name }: Address): string {
  return `[${toolbox}/${server}/${toPrintable(withoutHiddenInName(name), 150)}]`;
}

/** Concerns what the client can do or its user has to do, not the tool: the client must see the original error. */
export function isForClient({ code }: RpcError): boolean {
  return code === rpcCode.urlRequired || code === rpcCode.missingCapability;
}

export interface Signing {
  readonly call: Call;
  /** How to call the tool; its signature in one line by default. */
  readonly describe?: ((entry: Entry) => string) | undefined;
}

/** When the arguments were wrong, how to call the tool follows the server's message. */
export function withSignature(
  bench: WorkbenchView,
  address: Address,
  { call: { params }, describe }: Signing,
  outcome: CallOutcome,
): CallOutcome {
  if ('inputRequired' in outcome) return outcome;
  const isFailure = 'error' in outcome ? !isForClient(outcome.error) : outcome.result.value.isError === true;
  if (!isFailure) return outcome;
  const toolbox = bench.snapshot.toolboxes.get(address.toolbox);
  const entry = toolbox && findEntry(toolbox, 'tools', address);
  const schema = entry && findObject(entry.item.definition, 'inputSchema');
  if (entry === undefined || schema === undefined) return outcome;
  const given = findObject(params, 'arguments') ?? {};
  if (!isAboutArguments(outcome) && !breaksSchema(given, schema)) return outcome;
  const signature = describe?.(entry) ?? describeSignature(entry.item.shown, schema);
  if ('error' in outcome) return { error: { ...outcome.error, message: `${outcome.error.message} ${signature}` } };
  const content = findMember(outcome.result.value, 'content');
  if (!Array.isArray(content)) return outcome;
  return { ...outcome, result: outcome.result.with({ content: [...content, { type: 'text', text: signature }] }) };
}

/** Words that occur in many failures count only in pairs. */
const complaints =
  /-32602|(invalid|missing|unexpected|unknown|unrecognized|required) (required )?(argument|parameter|param|input|key|field|propert)|(input|schema|argument|parameter)s? validation|validation error|is a required property|must have required property/i;

function isAboutArguments(outcome: Exclude<CallOutcome, { inputRequired: unknown }>): boolean {
  if ('error' in outcome) return outcome.error.code === rpcCode.invalidParams;
  const content = findMember(outcome.result.value, 'content');
  const [block] = Array.isArray(content) ? content : [];
  return isObject(block) && complaints.test((findString(block, 'text') ?? '').slice(0, 1_000));
}
