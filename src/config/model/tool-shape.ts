/** How the tools of a server are shown, as the file says it: the key `tools` of a server or a toolbox, resolved. */
import type { Json, JsonObject } from '../../base/json/json.ts';

/** One entry of `tools`. A later entry that matches the same tool wins, member by member. */
export interface ToolShape {
  /** The server's own name of a tool, or a pattern with `*`. */
  readonly match: string;
  /** Where the entry stands in the file. */
  readonly path: string;
  readonly hidden?: boolean;
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  /** Members to set; the others stay. */
  readonly annotations?: JsonObject;
  /** Further names under which the tool can be called; they are not listed. */
  readonly aliases?: readonly string[];
  readonly arguments?: readonly ArgumentShape[];
}

export interface ArgumentShape {
  readonly name: string;
  readonly path: string;
  readonly description?: string;
  readonly rule?: ArgumentRule;
}

/**
 * fixed: sent with every call; a client cannot see it or set it. default: sent where a client does not set it. hidden: never sent;
 * a client cannot see it or set it. shown: as the server has it, which takes back what an earlier entry says.
 */
export type ArgumentRule =
  | { readonly kind: 'fixed' | 'default'; readonly value: Json; readonly shown: string; readonly secret: boolean }
  | { readonly kind: 'hidden' | 'shown' };

export function isPattern({ match }: Pick<ToolShape, 'match'>): boolean {
  return match.includes('*');
}
