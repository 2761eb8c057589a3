/**
 * Decides what a client is shown: the mode, the names, the form of the schemas. A pure function of the row of the client, of the
 * configuration and of the size of the catalog. It decides only how tools are shown: which tools there are is settled before.
 */
import type { FixedMode, Mode } from '../base/mode.ts';
import type { CatalogBound, ClientRow } from './client-row.ts';

export const schemaForms = ['original', 'portable'] as const;
export type SchemaForm = (typeof schemaForms)[number];

/** The settings of the configuration for one client, or for all of them. */
export interface SurfaceSettings {
  readonly mode?: Mode | undefined;
  readonly maxNameLength?: number | undefined;
  readonly schemas?: SchemaForm | undefined;
  /** Tools that are shown directly in mode `search`: `server/tool` or `toolbox/server/tool`. */
  readonly pinned?: readonly string[] | undefined;
}

/** A catalog, as far as the decision needs it. Counting tokens takes a while, so it is done on demand. */
export interface CatalogSize {
  /** Tools that are known and shown. */
  readonly tools: number;
  tokens(): number;
  /** Servers that are switched on. */
  readonly servers: number;
  /** Names of those whose tools are not known. */
  readonly unknown: readonly string[];
}

export interface Surface {
  /** The id of the row. */
  readonly client: string;
  readonly mode: FixedMode;
  /** For a person: why this mode. */
  readonly why: string;
  /** Public names are short and safe, and two tools never lose their names to each other. */
  readonly fitsNames: boolean;
  readonly maxNameLength: number | undefined;
  readonly schemas: SchemaForm;
  readonly pinned: readonly string[];
}

/** What every known client leaves for a name, with room for a longer name of ours in its configuration. */
export const defaultFittedLength = 46;

export interface SurfaceQuestion {
  readonly row: ClientRow;
  /** Those of the file. */
  readonly settings: SurfaceSettings & { readonly mode: Mode };
  /** Those of the file for this client, which win. */
  readonly own: SurfaceSettings | undefined;
  /** Called only where the size matters. */
  catalog(): CatalogSize;
  /** No server that is not known yet will be by waiting. */
  readonly final: boolean;
}

/** Undefined when the decision depends on servers that have not listed their tools yet. */
export function planSurface(question: SurfaceQuestion): Surface | undefined {
  const { row, settings, own } = question;
  const mode = own?.mode ?? settings.mode;
  const chosen = mode === 'auto' ? chooseMode(question) : { mode, why: toStated(row, own) };
  if (chosen === undefined) return undefined;
  const isAuto = settings.mode === 'auto' || mode === 'auto';
  const maxNameLength = own?.maxNameLength ?? settings.maxNameLength;
  return {
    client: row.id,
    ...chosen,
    fitsNames: isAuto,
    maxNameLength: maxNameLength ?? (isAuto ? defaultFittedLength : undefined),
    schemas: own?.schemas ?? settings.schemas ?? (isAuto ? row.schemas : 'original'),
    pinned: own?.pinned ?? settings.pinned ?? [],
  };
}

function toStated({ id }: ClientRow, own: SurfaceSettings | undefined): string {
  return own?.mode === undefined ? 'the configured mode' : `"clients" of the configuration says so for ${id}`;
}

type Chosen = Pick<Surface, 'mode' | 'why'>;

function chooseMode({ row, catalog: measure, final }: SurfaceQuestion): Chosen | undefined {
  const { showsUpTo, title } = row;
  if (showsUpTo.tools === Number.POSITIVE_INFINITY) return { mode: 'flat', why: `${title} searches tools itself` };
  const catalog = measure();
  const excess = findExcess(catalog, showsUpTo);
  if (excess !== undefined) return { mode: 'search', why: excess };
  const [first, ...others] = catalog.unknown;
  if (first !== undefined) {
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return final ? { mode: 'search', why: `the tools of server '${first}'${more} are not known yet` } : undefined;
  }
  return { mode: 'flat', why: `${toCount(catalog.tools)} are at most ${toBoundText(showsUpTo)}` };
}

/** Why a catalog is too large, as far as it is known. */
function findExcess({ tools, servers, tokens }: CatalogSize, bound: CatalogBound): string | undefined {
  if (tools > bound.tools) return `${toCount(tools)} are more than ${bound.tools}`;
  // Each server is there for at least one tool. Servers are not started to find out how many more they have.
  if (servers > bound.tools) return `${servers} servers have more than ${bound.tools} tools`;
  if (bound.tokens === Number.POSITIVE_INFINITY) return undefined;
  const counted = tokens();
  if (counted <= bound.tokens) return undefined;
  return `${toCount(tools)} take about ${counted} tokens, which is more than ${bound.tokens}`;
}

function toCount(tools: number): string {
  return tools === 1 ? '1 tool' : `${tools} tools`;
}

function toBoundText({ tools, tokens }: CatalogBound): string {
  return tokens === Number.POSITIVE_INFINITY ? `${tools}` : `${tools} and take at most ${tokens} tokens`;
}
