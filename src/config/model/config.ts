/** The configuration as the rest of the program sees it: complete, resolved, with nothing left to check. */

import type { Mode } from '../../base/mode.ts';
import type { SchemaForm, SurfaceSettings } from '../../clients/plan-surface.ts';
import type { Problem } from '../document/problem.ts';
import type { LeftOut } from './left-out.ts';
import type { KeyAlgorithm, Sharing, Start } from './schema.ts';
import type { Limits } from './schema-limits.ts';
import type { ToolShape } from './tool-shape.ts';

export type { Mode, Sharing, Start };

/** How one server is reached. Two entries that are equal in all of this are one server and share one process. */
export interface ServerDefinition {
  /** Unique in the configuration: the name, or the name and a short fingerprint where one name has several definitions. */
  readonly key: string;
  readonly name: string;
  readonly transport: StdioTransport | HttpTransport;
  readonly disabled: boolean;
  readonly timeoutMs: number;
  readonly startTimeoutMs: number;
  /** When the server is started. Undefined: when it is needed, as `lazy`. */
  readonly start?: Start | undefined;
  /** How long the server may run unused; undefined for ever. */
  readonly idleMs?: number | undefined;
  /** Undefined: shared until the server shows that it needs otherwise. */
  readonly sharing?: Sharing | undefined;
  /** The name of the server that this is one of several instances of. */
  readonly instanceOf?: string;
  /** In mode `flat`, false keeps the names of this server as they are. */
  readonly prefix: boolean;
  /** The command or address as written in the file, variables unexpanded: safe to print. */
  readonly shown: string;
}

export interface StdioTransport {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Declared for this server, in addition to the allow-listed environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd: string;
}

/** How to sign in to a server; the server and its authorization server supply what is missing. */
export interface OAuthSettings {
  readonly grant: 'authorization_code' | 'client_credentials';
  /** The only authorization server that may be used. */
  readonly issuer?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly clientMetadataUrl?: string;
  /** Separated by spaces. */
  readonly scope?: string;
  /** Absolute. */
  readonly privateKeyFile?: string;
  readonly algorithm?: KeyAlgorithm;
  readonly redirectPort?: number;
}

export interface HttpTransport {
  readonly kind: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** `auto` also tries the transport of 2024-11-05; the others are those that the file states. */
  readonly variant: 'auto' | 'streamable' | 'sse';
  readonly oauth?: OAuthSettings;
}

/** One of several instances that are shown as one server, whose tools have an argument that selects the instance. */
export interface InstancePlace {
  /** The name of all of them in the toolbox. */
  readonly of: string;
  /** The value of the argument. */
  readonly name: string;
  readonly description: string;
  readonly argument: string;
  /** Selected by a call that does not name one. */
  readonly preset: boolean;
  /** Neither disabled nor left out. */
  readonly usable: boolean;
  /** Where the instances stand in the file. */
  readonly path: string;
}

/** One server's place in one toolbox. */
export interface Placement {
  /** The name of the server in the toolbox. */
  readonly server: string;
  /** Key of the definition in `Config.servers`, or of one that is left out. */
  readonly key: string;
  /** Names and globs to keep; `!` in front leaves out. */
  readonly toolFilters: readonly string[];
  /** The same for prompts; all when undefined. */
  readonly promptFilters?: readonly string[];
  /** The same for resources and their templates, by URI. */
  readonly resourceFilters?: readonly string[];
  /** Set for one of several instances of a server. */
  readonly instance?: InstancePlace;
  /** How its tools are shown; filters see the names of the server. A later one wins over an earlier one. */
  readonly shapes?: readonly ToolShape[];
}

/** The names under which the tools of a placement are called. */
export function namesOf({ server, instance }: Pick<Placement, 'server' | 'instance'>): string[] {
  return instance === undefined ? [server] : [instance.of, server];
}

export interface ToolboxDefinition {
  readonly name: string;
  readonly description: string;
  readonly placements: readonly Placement[];
}

/** How the Workbench listens when it serves HTTP. */
export interface HttpSettings {
  /** Stated in the file, so no other port is tried. */
  readonly port?: number;
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** How clients reach us when that is not the address we listen on. */
  readonly publicUrl?: string;
  /** Also offers the transport of 2024-11-05. */
  readonly sse: boolean;
  readonly maxBodyBytes: number;
}

/** The issuer whose tokens the HTTP endpoints accept. */
export interface AuthSettings {
  readonly issuer: string;
  readonly audience?: string;
  readonly jwksUri?: string;
  readonly scopes: readonly string[];
  readonly allToolboxes: boolean;
  /** Empty for all. */
  readonly algorithms: readonly string[];
}

/** Where the embeddings of tools and queries come from. */
export interface EmbeddingSettings {
  readonly source:
    | { readonly kind: 'url'; readonly url: string; readonly model: string; readonly apiKey?: string }
    | {
        readonly kind: 'package';
        /** The name of a package, or the absolute path of a module. */
        readonly name: string;
        /** The package with the weights, or the absolute path of a module; undefined where the package needs none. */
        readonly model?: string;
        /** Packages are first looked for from here. */
        readonly dir: string;
      };
  readonly queryPrefix: string;
  readonly toolPrefix: string;
  /** How long a search waits for the embedding of its queries. */
  readonly timeoutMs: number;
}

/** How tools are found. */
export interface SearchSettings {
  readonly embeddings?: EmbeddingSettings;
}

/** What the file says about one client. */
export interface ClientSettings extends SurfaceSettings {
  /** Names by which it is recognised beside those that are known, as `normalizeClientName` writes them. */
  readonly names?: readonly string[] | undefined;
}

/** How long results of tools may be. */
export interface ResultSettings {
  /** In estimated tokens; 0 for no limit. Undefined: as the mode says. */
  readonly maxTokens?: number;
}

export interface Config {
  /** Absolute path of the file, or undefined for a configuration given as a value. */
  readonly path: string | undefined;
  readonly mode: Mode;
  /** The text between server and tool in mode `flat`. */
  readonly separator: string;
  /** Longest public name, or undefined for no limit. */
  readonly maxNameLength: number | undefined;
  /** Public names consist of letters, digits and `_` only. */
  readonly safeNames: boolean;
  /** Public names are short and safe, and no two tools want the same one: see `Surface`. */
  readonly fitsNames?: boolean | undefined;
  /** The form in which schemas are listed; undefined where the client decides, and otherwise as servers give them. */
  readonly schemas?: SchemaForm | undefined;
  /** Tools that are always shown directly: `server/tool` or `toolbox/server/tool`. */
  readonly pinned?: readonly string[] | undefined;
  /** By id. Clients that are not in it are shown what their row says. */
  readonly clients: ReadonlyMap<string, ClientSettings>;
  /** How long the first list waits for servers that are still starting. */
  readonly startWaitMs: number;
  /** Whether the lists of servers are kept between runs. */
  readonly keepCatalog: boolean;
  /** Entries in one page of a list. */
  readonly pageSize: number;
  readonly servers: ReadonlyMap<string, ServerDefinition>;
  readonly toolboxes: ReadonlyMap<string, ToolboxDefinition>;
  /** The file has no toolboxes: those above were made for its servers, and depend on the mode. */
  readonly plain?: boolean;
  readonly http: HttpSettings;
  readonly auth?: AuthSettings;
  readonly search?: SearchSettings;
  readonly limits: Limits;
  readonly results?: ResultSettings;
  /** Name and value of each secret, which must never be printed. */
  readonly secrets: readonly { readonly name: string; readonly value: string }[];
  /** Names of the variables that were looked up in the environment, set or not. */
  readonly variables: readonly string[];
  /** Notes on keys that were understood or ignored without being wrong. */
  readonly notes: readonly Problem[];
  /** The parts of the file that are wrong and not in force; undefined when the file has no mistakes. */
  readonly leftOut?: LeftOut | undefined;
}
