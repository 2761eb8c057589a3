/** In what clients differ, as far as it matters for us: the columns of the table of clients. */

/** How sure it is that a client introduces itself by these names. */
export type NameEvidence =
  /** In its source, or in a recorded handshake. */
  | 'recorded'
  /** In a public registry of clients. */
  | 'listed'
  /** By analogy; a wrong name costs nothing, because the client is then served as an unknown one. */
  | 'assumed';

export interface ClientNames {
  /** As `normalizeClientName` writes them. */
  readonly is: readonly string[];
  /** The same, for clients that add something to their name. */
  readonly begins?: readonly string[];
  readonly evidence: NameEvidence;
}

/** The tool names that a client takes, when we are called `workbench` in its configuration. */
export interface ClientNameLimit {
  /** Stands before every name, and counts. */
  readonly prefix: string;
  readonly most: number;
  /** The allowed characters; undefined where the client replaces the others. */
  readonly characters?: RegExp;
}

/** The largest catalog that is shown as it is. */
export interface CatalogBound {
  readonly tools: number;
  /** Estimated. */
  readonly tokens: number;
}

export interface ClientRow {
  readonly id: string;
  readonly title: string;
  /** The names in `clientInfo`. */
  readonly names: ClientNames;
  /** Keeps tools out of the context until the model looks for them. */
  readonly searchesTools: boolean | undefined;
  readonly nameLimit?: ClientNameLimit;
  /** The tools that it takes at most, where that is known. */
  readonly maxTools?: number;
  /** Asks for the list again, and uses it, after `list_changed`. */
  readonly takesListChanged: boolean | undefined;
  /** Gives `instructions` to the model. */
  readonly takesInstructions: boolean | undefined;
  /** Gives a model the structured content of a result instead of its text, where there are both. */
  readonly hidesText?: true;
  /** `portable`: it, or the models that it is mostly used with, refuse keywords of JSON Schema. */
  readonly schemas: 'original' | 'portable';
  /** Mode `auto` shows a catalog up to this size as it is; above it the client gets mode `search`. */
  readonly showsUpTo: CatalogBound;
  /** The key in `_meta` of a tool that makes this client show the tool from the beginning. */
  readonly alwaysShows?: string;
}
