/** The arguments that a server is sent, from those of a call. */
import { WorkbenchError } from '../../base/errors/errors.ts';
import { findMember, isObject, type Json, type JsonObject, withMembers, withoutMembers } from '../../base/json/json.ts';
import { quote, quoteList } from '../../base/text/error-text.ts';
import type { Shaped } from './shaped.ts';

/** The arguments for the server, and its key where the tool is at several. */
export interface OwnCall {
  readonly arguments: JsonObject;
  readonly key?: string;
}

/** Throws a WorkbenchError when the call does not select an instance that has the tool. */
export function toOwnCall(tool: string, shaped: Shaped, given: Json | undefined): OwnCall {
  const args = toOwnArguments(tool, shaped, given);
  const { routes } = shaped;
  if (routes === undefined) return { arguments: args };
  const { argument, preset, keys } = routes;
  const wanted = findMember(args, argument) ?? preset;
  const key = typeof wanted === 'string' ? keys.get(wanted) : undefined;
  if (key === undefined) throw toUnselected(tool, argument, wanted, keys.keys());
  return { arguments: withoutMembers(args, [argument]), key };
}

/** What a call has to say that does not select one of these instances. */
export function toUnselected(
  tool: string,
  argument: string,
  wanted: Json | undefined,
  names: Iterable<string>,
): WorkbenchError {
  const problem =
    wanted === undefined
      ? `needs the argument ${quote(argument)}, which selects the instance`
      : `is not at an instance ${quote(typeof wanted === 'string' ? wanted : JSON.stringify(wanted))}`;
  return new WorkbenchError('WB1848', `Tool ${quote(tool)} ${problem}.`, {
    fix: `Set ${quote(argument)} to one of: ${quoteList(names)}.`,
  });
}

/** Throws a WorkbenchError when the call sets an argument that is not the caller's to set. */
export function toOwnArguments(
  tool: string,
  { fixed, defaults, withheld }: Pick<Shaped, 'fixed' | 'defaults' | 'withheld'>,
  given: Json | undefined,
): JsonObject {
  if (given !== undefined && !isObject(given))
    throw new WorkbenchError('WB1845', `The arguments of tool ${quote(tool)} must be an object.`, {
      fix: 'Send the arguments as an object.',
    });
  const args = given ?? {};
  const refused = [...withheld].filter((name) => Object.hasOwn(args, name));
  if (refused.length > 0) {
    const which = `${refused.length === 1 ? 'argument' : 'arguments'} ${quoteList(refused)}`;
    throw new WorkbenchError(
      'WB1845',
      `Tool ${quote(tool)} does not take the ${which}: the configuration decides about ${refused.length === 1 ? 'it' : 'them'}.`,
      {
        fix: `Make the call without ${refused.length === 1 ? 'it' : 'them'}.`,
      },
    );
  }
  const missing = [...defaults].filter(([name]) => !Object.hasOwn(args, name));
  return withMembers(args, Object.fromEntries([...missing, ...fixed]));
}
