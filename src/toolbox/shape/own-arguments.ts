/** The arguments that a server is sent, from those of a call. */
import { WorkbenchError } from '../../base/errors/errors.ts';
import { isObject, type Json, type JsonObject, withMembers } from '../../base/json/json.ts';
import { quote, quoteList } from '../../base/text/error-text.ts';
import type { Shaped } from './shaped.ts';

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
