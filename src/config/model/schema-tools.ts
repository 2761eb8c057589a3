/** The keys that say how a tool is shown. Part of the schema in schema.ts. */
import { boolean, json, list, object, record, text } from './schema-dsl.ts';

export const argumentShape = object(
  'argument',
  {
    value: json({
      doc: 'Sent with every call. Clients do not see the argument, and a call that sets it is refused. Strings may contain `${NAME}`.',
    }),
    default: json({ doc: 'Sent with calls that do not set the argument, which becomes optional.' }),
    description: text({ doc: 'What the argument is for, in place of the description by the server.' }),
    hidden: boolean({
      doc: 'The argument is never sent, and clients do not see it. For an argument that is not required.',
    }),
  },
  { doc: 'One argument at the top level of a tool.' },
);

export const toolShape = object(
  'tool',
  {
    name: text({ doc: 'The name for clients. The own name is unknown to them then. Not for a pattern.' }),
    title: text({ doc: 'The title for people.' }),
    description: text({ doc: 'What the tool does, in place of the description by the server.' }),
    hidden: boolean({ doc: 'Clients do not see the tool and cannot call it.' }),
    aliases: list(text({ doc: 'A name.' }), {
      doc: 'Further names under which the tool can be called. They are not listed. Not for a pattern.',
    }),
    annotations: record(json({ doc: 'Its value; true or false for a hint.' }), {
      doc: 'Annotations to set, such as `readOnlyHint`, `destructiveHint`, `idempotentHint` and `openWorldHint`; the others stay.',
    }),
    arguments: record(argumentShape, { doc: 'Arguments to fix, to fill, to hide or to describe, by name.' }),
  },
  {
    doc: 'How a tool is shown. The entry with its exact name wins over patterns, later patterns over earlier ones, and the entry of a toolbox over that of a server. A tool that cannot be shown like that is left out, and `check` says why.',
  },
);
