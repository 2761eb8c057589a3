/** The credentials of a server, as a promise kept late: nothing of OAuth is loaded before a request needs it. */
import type { Log } from '../../base/log.ts';
import type { Redactor } from '../../base/redact.ts';
import type { ServerDefinition } from '../../config/config.ts';
import type { Credentials } from '../http/credentials.ts';

export interface CredentialsOptions {
  readonly definition: ServerDefinition;
  /** Folder for what is remembered between runs; without it a sign-in holds until the process ends. */
  readonly stateDir: string | undefined;
  readonly log: Log;
  readonly redactor: Redactor;
}

/** Undefined for a local process, which is given what it needs by its environment. */
export function createLazyCredentials(options: CredentialsOptions): Credentials | undefined {
  if (options.definition.transport.kind !== 'http') return undefined;
  let loaded: Promise<Credentials | undefined> | undefined;
  const load = () => {
    loaded ??= create(options);
    return loaded;
  };
  return {
    header: async () => (await load())?.header(),
    refused: async (answer) => (await (await load())?.refused(answer)) ?? false,
  };
}

async function create({ definition, stateDir, log, redactor }: CredentialsOptions): Promise<Credentials | undefined> {
  const [{ createOAuthCredentials }, { findContext }, { openStore }] = await Promise.all([
    import('./oauth-credentials.ts'),
    import('./sign-in-context.ts'),
    import('./sign-ins.ts'),
  ]);
  const context = findContext({ definition, store: openStore(stateDir, log), log, redactor });
  return context === undefined ? undefined : createOAuthCredentials(context);
}
