/**
 * The token of one server, on every request: read from the store, renewed in time and after a refusal. Requests that wait
 * share one renewal. A browser is never opened: where only a person can help, the request fails and says so.
 */
import { WorkbenchError } from '../../base/errors/errors.ts';
import { RightsNeeded } from '../../base/errors/rights-needed.ts';
import { toOwnCommand } from '../../base/text/own-command.ts';
import { toPrintable } from '../../base/text/printable.ts';
import type { Credentials } from '../http/credentials.ts';
import { type Challenge, parseChallenge } from './protocol/challenge.ts';
import { includesScopes, joinScopes } from './protocol/scopes.ts';
import type { SignInContext } from './sign-in-context.ts';
import type { Grant, Tokens } from './tokens/grant.ts';

/** A token is renewed this long before it expires, so that it does not expire on its way. */
const marginMs = 15_000;
/** How often further rights are requested before a refusal is final. */
const maxStepUps = 2;
/**
 * The store is read again after this time when it had no tokens. Most servers need none, and one read per request would be
 * one file per call. A server that does need a token refuses the request, and then the store is read at once.
 */
const noneMs = 1_000;

export function createOAuthCredentials(context: SignInContext): Credentials {
  const { grants, transport, settings, now } = context;
  const byItself = settings.grant === 'client_credentials';
  let grant: Grant | undefined;
  let renewing: Promise<void> | undefined;
  /** When the store was found empty. */
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
    if (!byItself && grant === undefined) return;
    // Most servers need no token, so the OAuth library is loaded only now.
    const { renew, requestOwnTokens } = await import('./renew.ts');
    if (byItself) take(await requestOwnTokens(context, { challenge, scope, known: grant }));
    else if (grant !== undefined) take(await renew(context, grant));
  };
  const mayHaveSome = () => {
    const passed = noneAt === undefined ? noneMs : now() - noneAt;
    // The clock was set back when the time that passed is negative.
    return passed >= noneMs || passed < 0;
  };
  /** Whether the store has other tokens than those in use, after a sign-in or a renewal by another process. */
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
          // A token that is still valid for a moment is better than none.
          if (tokens === undefined || isExpired(tokens, now())) throw error;
        });
      }
      return grant?.tokens === undefined ? undefined : toHeader(grant.tokens);
    },

    async refused({ status, challenge: header, sent }) {
      challenge = parseChallenge(header);
      if (renewing !== undefined) await renewing.catch(() => {});
      // True when the request was sent before the tokens changed, here or in another process.
      const isOld = () => grant?.tokens !== undefined && toHeader(grant.tokens) !== sent;
      if (isOld() || (await takeNews())) return true;
      if (status === 403) return stepUp(challenge);
      await renewOnce();
      return isOld();
    },
  };

  /** Requests all rights that were granted and all that are wanted, so that none is lost. */
  async function stepUp({ error, scope }: Challenge): Promise<boolean> {
    if (error !== 'insufficient_scope' || scope === undefined || grant?.tokens === undefined) return false;
    const granted = grant.tokens.scope;
    const wanted = joinScopes(granted, scope);
    if (wanted === undefined || includesScopes(granted, scope)) return false;
    if (byItself) {
      const tries = stepUps.get(scope) ?? 0;
      stepUps.set(scope, tries + 1);
      if (tries >= maxStepUps) return false;
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
