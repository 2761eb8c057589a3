/** A tool that is shown in another way than its server defines it, with the way back for its calls. */
import type { Json } from '../../base/json/json.ts';
import type { Item } from '../../catalog/item.ts';

export interface ShapedItem {
  /** As it is shown; its name is the server's own. */
  readonly item: Item;
  /** Undefined when the tool is shown as its server defines it. */
  readonly shaped?: Shaped;
}

export interface Shaped {
  /** As its server defines it. */
  readonly own: Item;
  readonly aliases: readonly string[];
  /** Sent with every call. */
  readonly fixed: ReadonlyMap<string, Json>;
  /** Sent with calls that do not set them. */
  readonly defaults: ReadonlyMap<string, Json>;
  /** A call that sets one of these is refused. */
  readonly withheld: ReadonlySet<string>;
  readonly changes: readonly Change[];
  /** Set for a tool of several instances: which of them a call goes to. */
  readonly routes?: Routes;
}

export interface Routes {
  /** The argument that selects; the server is not sent it. */
  readonly argument: string;
  /** For calls that do not select. */
  readonly preset: string | undefined;
  /** Key of the server, by the value of the argument. */
  readonly keys: ReadonlyMap<string, string>;
}

/** One thing that was changed, and where the file says so. */
export interface Change {
  readonly what: 'name' | 'title' | 'description' | 'annotations' | 'aliases' | 'argument' | 'instances';
  readonly path: string;
  /** For an argument: which one, and what happens to it. */
  readonly argument?: string;
  readonly how?: 'fixed' | 'default' | 'hidden' | 'description';
  /** Safe to print: a value that may be a secret is shown as the file has it. */
  readonly detail?: string;
}
