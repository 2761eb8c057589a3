/**
 * The token of one server, on every request: read from the store, renewed in time and after a refusal, by one renewal
 * however many requests wait for it. Never opens a browser: where only a person can help, the request fails and says so.
 */
import { WorkbenchError } from '../../base/errors.ts';
import { toOwnCommand } from '../../base/own-command.ts';
import { toPrintable } from '../../base/printable.ts';
import { RightsNeeded } from '../../base/rights-needed.ts';
import type { Credentials } from '../http/credentials.ts';
import { type Challenge, parseChallenge } from './challenge.ts';
import type { Grant, Tokens } from './grant.ts';
import { renew, requestOwnTokens } from './renew.ts';
import { includesScopes, joinScopes } from './scopes.ts';
import type { SignInContext } from './sign-in-context.ts';

/** Renewed this long before it expires, so that a token does not expire on its way. */
const marginMs = 15_000;
/** How often further rights are asked for before a refusal is taken as final. */
const mostStepUps = 2;
/**
 * How long it is believed that nobody has signed in. Most servers need no sign-in, and to look with every request would be a file
 * read with every call; one that does need it refuses, and then the store is looked at at once.
 */
const noneMs = 1_000;

export function createOAuthCredentials(context: SignInContext): Credentials {
  const { grants, transport, settings, now } = context;
  const byItself = settings.grant === 'client_credentials';
  let grant: Grant | undefined;
  let renewing: Promise<void> | undefined;
  /** When the store had none. */
  let noneAt: number | undefined;
  let challenge: Challenge = {};
  const stepUps = new Map<string, number>();

  const take = (next: Grant | undefined) => {
    grant = next;
    learnTokens(context, next?.tokens);
  };
  /** Many callers share one renewal. */
  const renewOnce = (scope?: string) => {
    renewing ??= renewNow(scope).finally(() => {
      renewing = undefined;
    });
    return renewing;
  };
  const renewNow = async (scope: string | undefined) => {
    if (byItself) take(await requestOwnTokens(context, { challenge, scope, known: grant }));
    else if (grant !== undefined) take(await renew(context, grant));
  };
  const mayHaveSome = () => {
    const passed = noneAt === undefined ? noneMs : now() - noneAt;
    // A clock that was set back says nothing.
    return passed >= noneMs || passed < 0;
  };
  /** Whether the store has other tokens than those in use: somebody signed in, or another process renewed. */
  const takeNews = async () => {
    const stored = await grants.findFor(transport.url);
    const isNews = stored?.tokens !== undefined && stored.tokens.accessToken !== grant?.tokens?.accessToken;
    if (isNews) take(stored);
    return isNews;
  };

  return {
    async header() {
      if (renewing !== undefined) await renewing.catch(() => {});
      if (grant?.tokens === undefined && mayHaveSome()) {
        take(await grants.findFor(transport.url));
        noneAt = now();
      }
      const tokens = grant?.tokens;
      if (tokens === undefined ? byItself : isDue(tokens, now()) && (byItself || tokens.refreshToken !== undefined)) {
        await renewOnce().catch((error: unknown) => {
          // A token that is still good for a moment is better than none.
          if (tokens === undefined || isExpired(tokens, now())) throw error;
        });
      }
      return grant?.tokens === undefined ? undefined : toHeader(grant.tokens);
    },

    async refused({ status, challenge: header, sent }) {
      challenge = parseChallenge(header);
      if (renewing !== undefined) await renewing.catch(() => {});
      // It was sent before the tokens changed, here or in another process.
      const isOld = () => grant?.tokens !== undefined && toHeader(grant.tokens) !== sent;
      if (isOld() || (await takeNews())) return true;
      if (status === 403) return stepUp(challenge);
      await renewOnce();
      return isOld();
    },
  };

  /** Further rights: all that were granted and all that are wanted, so that none gets lost on the way. */
  async function stepUp({ error, scope }: Challenge): Promise<boolean> {
    if (error !== 'insufficient_scope' || scope === undefined || grant?.tokens === undefined) return false;
    const granted = grant.tokens.scope;
    const wanted = joinScopes(granted, scope);
    if (wanted === undefined || includesScopes(granted, scope)) return false;
    if (byItself) {
      const tries = stepUps.get(scope) ?? 0;
      stepUps.set(scope, tries + 1);
      if (tries >= mostStepUps) return false;
      await renewOnce(wanted);
      return includesScopes(grant?.tokens?.scope, scope);
    }
    if (includesScopes(grant.askedScope, scope))
      throw new WorkbenchError('WB1203', ...missingRights(context.name, scope, 'asked for and not granted'));
    await grants.saveFor(transport.url, { ...grant, wantedScope: wanted });
    throw new RightsNeeded('WB1203', ...missingRights(context.name, scope, 'not asked for yet'));
  }
}

function toHeader({ accessToken }: Tokens): string {
  return `Bearer ${accessToken}`;
}

function isDue({ expiresAt }: Tokens, now: number): boolean {
  return expiresAt !== undefined && expiresAt - now < marginMs;
}

function isExpired({ expiresAt }: Tokens, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

export function learnTokens({ redactor, name }: SignInContext, tokens: Tokens | undefined): void {
  if (tokens === undefined) return;
  redactor.learn(`token of ${name}`, tokens.accessToken);
  if (tokens.refreshToken !== undefined) redactor.learn(`refresh token of ${name}`, tokens.refreshToken);
}

/** Message and advice. */
function missingRights(name: string, scope: string, how: string): [string, { fix: string }] {
  const [server, shown] = [toPrintable(name, 80), toPrintable(scope, 200)];
  const message = `Server '${server}' wants further rights for this (${shown}); they were ${how}.`;
  return [message, { fix: `Run: ${toOwnCommand(['auth', 'login'], [name])}` }];
}
