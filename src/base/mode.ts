/** The modes, and what differs between them outside of their own files in `src/front/modes`. */

export const modes = ['meta', 'dynamic', 'flat', 'search', 'auto'] as const;

export type Mode = (typeof modes)[number];

/** What one client is shown: `auto` stands for one of the others, by client. */
export type FixedMode = Exclude<Mode, 'auto'>;

export interface ModeFacts {
  /** Whether the public name of a tool holds its server, its toolbox and server, or there is none: it is called by its address. */
  readonly publicNames: 'server' | 'toolbox' | 'none';
  /** A client sees all tools from the beginning; toolboxes do not matter. */
  readonly showsAll: boolean;
  /** Every server must be known, so those without a known list are started for the first client. */
  readonly learnsAll: boolean;
  /** A file without toolboxes gets a toolbox for each server, because clients open them one by one. */
  readonly opensServers: boolean;
  /** Long results of tools are cut to a preview, unless the configuration says otherwise. */
  readonly fitsResults: boolean;
}

export const modeFacts: Readonly<Record<Mode, ModeFacts>> = {
  meta: { publicNames: 'none', showsAll: false, learnsAll: false, opensServers: true, fitsResults: false },
  dynamic: { publicNames: 'toolbox', showsAll: false, learnsAll: false, opensServers: false, fitsResults: false },
  flat: { publicNames: 'server', showsAll: true, learnsAll: true, opensServers: false, fitsResults: false },
  search: { publicNames: 'none', showsAll: false, learnsAll: true, opensServers: true, fitsResults: true },
  auto: { publicNames: 'none', showsAll: false, learnsAll: true, opensServers: true, fitsResults: true },
};

export function isMode(text: string): text is Mode {
  return modes.some((mode) => mode === text);
}
