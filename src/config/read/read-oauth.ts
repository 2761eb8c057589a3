/** Reads the object `oauth` of a server with a URL: how to sign in to it. */
import { defined } from '../../base/json/defined.ts';
import { toPrintable } from '../../base/text/printable.ts';
import { keyPlace, type Member, toMembers, valuePlace } from '../document/json-node.ts';
import type { OAuthSettings } from '../model/config.ts';
import { oauthShape } from '../model/schema.ts';
import { resolvePath } from '../source/resolve-path.ts';
import { ignoredOauthKeys, oauthKeys } from './foreign.ts';
import { openObject, toKind } from './read.ts';
import type { Reading } from './read-text.ts';

/** Undefined when there is no such object: then the server itself says what is needed. */
export function readOAuth(member: Member | undefined, reading: Reading, what: string): OAuthSettings | undefined {
  if (member === undefined) return undefined;
  const { report, secrets, ground } = reading;
  if (member.node.type !== 'object') {
    const name = toPrintable(String(member.keyNode.value), 80);
    report.note('WB1402', keyPlace(member), `"${name}" of ${what} is ${toKind(member.node)} and is ignored`);
    return undefined;
  }
  const fields = openObject(oauthShape, member.node, member.path, reading, {
    what: `the sign-in of ${what}`,
    ignored: ignoredOauthKeys,
    members: toMembers(member.node, member.path).map((inner) => {
      const ours = oauthKeys.get(inner.key);
      return ours === undefined ? inner : { ...inner, key: ours };
    }),
  });
  const text = (key: 'issuer' | 'clientId' | 'clientSecret' | 'clientMetadataUrl') => fields.read(key, reading);
  const [issuer, clientId, clientSecret, clientMetadataUrl] = [
    text('issuer'),
    text('clientId'),
    text('clientSecret'),
    text('clientMetadataUrl'),
  ];
  const keyFile = fields.read('privateKeyFile', reading);
  const [scopes, algorithm, redirectPort] = [
    fields.read('scopes', reading),
    fields.read('algorithm', reading),
    fields.read('redirectPort'),
  ];
  const grant = fields.read('grant', reading) ?? 'authorization_code';
  if (clientSecret !== undefined) secrets.learn('clientSecret', clientSecret);
  if (issuer !== undefined && !issuer.includes('${') && !isWeb(issuer))
    report.error('WB1405', fields.at('issuer'), `the "issuer" of ${what} must be an address with https://`);
  if (clientMetadataUrl !== undefined && !clientMetadataUrl.includes('${') && !isDocument(clientMetadataUrl)) {
    const message = `the "clientMetadataUrl" of ${what} must be an address with https:// and a path`;
    report.error('WB1405', fields.at('clientMetadataUrl'), message);
  }
  if (grant === 'client_credentials' && clientId === undefined) {
    const message = `${what} signs in with "client_credentials", which needs a "clientId"`;
    report.error('WB1405', valuePlace(member), message);
  }
  const words = typeof scopes === 'string' ? scopes.split(/\s+/) : (scopes ?? []);
  const scope = words.filter((word) => word !== '').join(' ');
  return {
    grant,
    ...defined({ issuer, clientId, clientSecret, clientMetadataUrl }),
    ...(scope === '' ? {} : { scope }),
    ...(keyFile === undefined ? {} : { privateKeyFile: resolvePath(keyFile, ground) }),
    ...defined({ algorithm, redirectPort }),
  };
}

function isWeb(text: string): boolean {
  return URL.canParse(text) && ['https:', 'http:'].includes(new URL(text).protocol);
}

function isDocument(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'https:' && new URL(text).pathname !== '/';
}
