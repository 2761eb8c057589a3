/** Reads `auth` of the file: the issuer whose tokens the HTTP endpoints accept. */
import { defined } from '../../base/json/defined.ts';
import { type Member, valuePlace } from '../document/json-node.ts';
import type { AuthSettings } from '../model/config.ts';
import { authShape } from '../model/schema-http.ts';
import { checkAddress } from './check-address.ts';
import { isObjectMember, openObject } from './read.ts';
import type { Reading } from './read-text.ts';

export function readAuth(member: Member | undefined, reading: Reading): AuthSettings | undefined {
  if (member === undefined || member.node.type === 'null') return undefined;
  const { report } = reading;
  if (!isObjectMember(member, 'auth', reading)) return undefined;
  const fields = openObject(authShape, member.node, member.path, reading, { what: '"auth"' });
  const [issuer, audience, jwksUri] = [fields.read('issuer'), fields.read('audience'), fields.read('jwksUri')];
  if (issuer === undefined) {
    if (fields.member('issuer') === undefined && !fields.misspelt.has('issuer'))
      report.error(
        'WB1405',
        valuePlace(member),
        'auth needs "issuer"',
        '"auth": { "issuer": "https://login.example" }',
      );
    return undefined;
  }
  // An attacker who can change the answers of these addresses can let anyone in.
  checkAddress(issuer, 'auth.issuer', fields.at('issuer'), reading);
  if (jwksUri !== undefined) checkAddress(jwksUri, 'auth.jwksUri', fields.at('jwksUri'), reading);
  const scopes = fields.read('scopes') ?? [];
  if (scopes.some((scope) => !isScope(scope)))
    report.error('WB1405', fields.at('scopes'), 'auth.scopes: a scope is a word without spaces, quotes and "\\"');
  return {
    issuer,
    ...defined({ audience, jwksUri }),
    scopes,
    allToolboxes: fields.read('allToolboxes'),
    algorithms: fields.read('algorithms') ?? [],
  };
}

/** RFC 6749: visible ASCII without quotes and backslash. */
function isScope(text: string): boolean {
  return /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text);
}
