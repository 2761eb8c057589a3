/** The keys of one client in `clients` of the configuration. */
import { modes } from '../../base/mode.ts';
import { schemaForms } from '../../clients/plan-surface.ts';
import { choice, integer, list, object, text } from './schema-dsl.ts';

export const nameLengths = { min: 16, max: 128 } as const;

const pin = text({ doc: '`server/tool`, or `toolbox/server/tool`.' });

export const pinnedShape = list(pin, {
  doc: 'Tools that are always shown directly, beside those that search. In mode `flat`, where every tool is shown, they are marked for clients that would otherwise hide tools until the model looks for them.',
});

export const schemasShape = choice(schemaForms, {
  doc: '`portable`: tools are listed with simpler schemas, for models that refuse some keywords of JSON Schema: references are written out, keywords that are not understood are removed. What the original accepts, the simpler one accepts too, and servers still check arguments against their own. Default: `original`; in mode `auto` what suits the client.',
});

export const clientShape = object(
  'client',
  {
    mode: choice(modes, { doc: 'The mode for this client. `--mode` wins.' }),
    maxNameLength: integer({ ...nameLengths, doc: 'Longest public name for this client.' }),
    pinned: pinnedShape,
    schemas: schemasShape,
    names: list(text({ doc: 'A name.' }), {
      doc: 'Names by which this client is recognised, beside those that are known: what it calls itself in `clientInfo`, or the client id of its OAuth tokens. Needed for a client that the Workbench does not know.',
    }),
  },
  {
    doc: 'What one client is shown, by its id (`mcp-workbench check` lists the ids) or an id of your own. How tools are shown, never which.',
  },
);
