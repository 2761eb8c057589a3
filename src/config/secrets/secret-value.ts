/**
 * Finds secrets by their look, in any place: tokens of well-known services begin in a characteristic way, so they can be found
 * where a person has put them by mistake.
 */

/** The beginning of such a token, and what follows. What follows is a run of characters, so that matching stays linear. */
const tokens: readonly (readonly [beginning: string, rest: string])[] = [
  ['sk-', '[A-Za-z0-9_-]{12,}'], // Anthropic, OpenAI, OpenRouter, DeepSeek
  ['(?:sk|rk|pk)_(?:live|test)_', '[A-Za-z0-9]{8,}'], // Stripe, Clerk
  ['whsec_', '[A-Za-z0-9+/=]{8,}'],
  ['gh[opusr]_', '[A-Za-z0-9]{16,}'], // GitHub
  ['github_pat_', '[A-Za-z0-9_]{16,}'],
  ['gl(?:pat|dt|rt|ft|soat|agent|cbt|ptt|imt)-', '[A-Za-z0-9_.-]{12,}'], // GitLab
  ['xox[abeoprs]-', '[A-Za-z0-9-]{8,}'], // Slack
  ['xapp-', '[A-Za-z0-9-]{8,}'],
  ['A(?:KIA|SIA)', '[A-Z0-9]{16}'], // Amazon
  ['AIza', '[A-Za-z0-9_-]{30,}'], // Google
  ['ya29\\.', '[A-Za-z0-9_-]{16,}'],
  ['GOCSPX-', '[A-Za-z0-9_-]{16,}'],
  ['npm_', '[A-Za-z0-9]{20,}'],
  ['pypi-', '[A-Za-z0-9_-]{16,}'],
  ['hf_', '[A-Za-z0-9]{16,}'], // Hugging Face
  ['gsk_', '[A-Za-z0-9]{16,}'], // Groq
  ['xai-', '[A-Za-z0-9]{16,}'],
  ['pplx-', '[A-Za-z0-9]{16,}'], // Perplexity
  ['tvly-', '[A-Za-z0-9-]{12,}'], // Tavily
  ['fc-', '[a-f0-9]{32}'], // Firecrawl
  ['BSA', '[A-Za-z0-9_-]{24,}'], // Brave
  ['r8_', '[A-Za-z0-9]{16,}'], // Replicate
  ['lin_(?:api|oauth)_', '[A-Za-z0-9]{16,}'], // Linear
  ['(?:ntn|secret)_', '[A-Za-z0-9]{30,}'], // Notion
  ['fig[dou]r?_', '[A-Za-z0-9_-]{16,}'], // Figma
  ['sbp_', '[A-Za-z0-9]{16,}'], // Supabase
  ['sntry[su]_', '[A-Za-z0-9_=+/-]{16,}'], // Sentry
  ['ATATT3', '[A-Za-z0-9_=-]{16,}'], // Atlassian
  ['glsa_', '[A-Za-z0-9_]{16,}'], // Grafana
  ['do[opr]_v1_', '[a-f0-9]{16,}'], // DigitalOcean
  ['dckr_(?:pat|oat)_', '[A-Za-z0-9_-]{12,}'], // Docker
  ['shp(?:at|ca|pa|ss)_', '[a-fA-F0-9]{16,}'], // Shopify
  ['SG\\.', '[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}'], // SendGrid
  ['PMAK-', '[A-Za-z0-9-]{16,}'], // Postman
  ['napi_', '[A-Za-z0-9]{16,}'], // Neon
  ['ops_', '[A-Za-z0-9_-]{32,}'], // 1Password
  ['hv[sbr]\\.', '[A-Za-z0-9_-]{16,}'], // Vault
  ['pat[A-Za-z0-9]{14}\\.', '[a-f0-9]{32,}'], // Airtable
  ['AGE-SECRET-KEY-', '[A-Z0-9]{16,}'],
  ['eyJ', '[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{4,}\\.[A-Za-z0-9_-]*'], // a JSON Web Token
];

/** A credential stands behind the scheme of an Authorization header. */
const scheme = '\\b(?:Bearer|Basic) ';
const free = '(?<![A-Za-z0-9])';

/** Most texts hold none of these beginnings. Then the whole pattern is not compiled, which takes longer than a usual file. */
const beginnings = new RegExp(`${free}(?:${tokens.map(([beginning]) => beginning).join('|')})|${scheme}`);

let compiled: RegExp | undefined;

function wholePattern(): RegExp {
  const whole = tokens.map((parts) => parts.join('')).join('|');
  compiled ??= new RegExp(`${free}(?:${whole})|(?<=${scheme})[A-Za-z0-9._~+/=-]{8,}`, 'g');
  return compiled;
}

export interface Stretch {
  readonly offset: number;
  readonly length: number;
}

/** The positions of such values in a text. */
export function findSecretValues(text: string): Stretch[] {
  if (!beginnings.test(text)) return [];
  return [...text.matchAll(wholePattern())].map(({ index, 0: { length } }) => ({ offset: index, length }));
}
