/** Proof of a client by its private key (RFC 7523): a JWT that is valid for a short time. */
import { createPrivateKey, type KeyObject, webcrypto } from 'node:crypto';
import { type ClientAuth, modifyAssertion, PrivateKeyJwt } from 'oauth4webapi';
import { codeOf } from '../../../base/errors/code-of.ts';
import { WorkbenchError } from '../../../base/errors/errors.ts';
import { defined } from '../../../base/json/defined.ts';
import { findString, parseObject } from '../../../base/json/json.ts';
import { type KeyAlgorithm, keyAlgorithms } from '../../../config/model/schema.ts';
import { FileFault } from '../../../state/file-fault.ts';
import { type NamedFile, readNamed } from '../../../state/named-file.ts';
import { currentOwner } from '../../../state/owner.ts';
import { findStranger } from '../../../state/strangers.ts';

export interface SigningKey {
  readonly key: KeyObject;
  readonly algorithm: KeyAlgorithm;
  readonly keyId: string | undefined;
}

const lifetimeSec = 120;

/** What the Web Crypto API calls the algorithms. */
const keyParameters = {
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  PS256: { name: 'RSA-PSS', hash: 'SHA-256' },
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  ES384: { name: 'ECDSA', namedCurve: 'P-384' },
  EdDSA: { name: 'Ed25519' },
} satisfies Record<KeyAlgorithm, object>;

/** Algorithms by the kind of a key and its curve; the first is used unless the configuration names one. */
const fittingAlgorithms = new Map<string, readonly KeyAlgorithm[]>([
  ['rsa', ['RS256', 'PS256']],
  ['ed25519', ['EdDSA']],
  ['ec prime256v1', ['ES256']],
  ['ec secp384r1', ['ES384']],
]);
const minRsaBits = 2_048;

/** A PEM file, or a JWK as JSON. It is read again for each use, because keys are replaced. */
export function readSigningKey(file: string, algorithm: KeyAlgorithm | undefined): SigningKey {
  const text = readKeyFile(file);
  const jwk = parseObject(text);
  let key: KeyObject;
  try {
    key = jwk === undefined ? createPrivateKey(text) : createPrivateKey({ key: jwk, format: 'jwk' });
  } catch {
    throw new WorkbenchError('WB1208', `The file ${file} does not hold a private key that can be used.`);
  }
  const { modulusLength = minRsaBits, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < minRsaBits)
    throw new WorkbenchError('WB1208', `The private key ${file} has fewer than ${minRsaBits} bits.`);
  const fitting = fittingAlgorithms.get([key.asymmetricKeyType, namedCurve].filter(Boolean).join(' ')) ?? [];
  const chosen = algorithm ?? fitting[0];
  if (chosen === undefined || !fitting.includes(chosen))
    throw new WorkbenchError(
      'WB1208',
      `The private key ${file} does not fit the algorithm ${chosen ?? 'of any kind'}.`,
      {
        fix: `Set "algorithm" to one of: ${fitting.join(', ') || keyAlgorithms.join(', ')}.`,
      },
    );
  return { key, algorithm: chosen, keyId: jwk === undefined ? undefined : findString(jwk, 'kid') };
}

const maxBytes = 1_024 * 1_024;

function readKeyFile(file: string): string {
  let found: NamedFile;
  try {
    found = readNamed(file, maxBytes);
  } catch (cause) {
    if (cause instanceof FileFault) throw new WorkbenchError('WB1208', `The private key ${cause.message}.`);
    throw new WorkbenchError('WB1208', `The private key ${file} cannot be read (${codeOf(cause)}).`);
  }
  const stranger = findStranger(found.facts, currentOwner());
  if (stranger !== undefined) throw new WorkbenchError('WB1921', `The private key ${file} ${stranger}.`);
  return found.bytes.toString('utf8');
}

/** For the issuer that it is sent to. The library's own claims hold for a minute from its clock, and not before. */
export async function createKeyProof({ key, algorithm, keyId }: SigningKey, nowMs: number): Promise<ClientAuth> {
  const der = key.export({ type: 'pkcs8', format: 'der' });
  const signing = await webcrypto.subtle.importKey('pkcs8', der, keyParameters[algorithm], false, ['sign']);
  const iat = Math.floor(nowMs / 1_000);
  return PrivateKeyJwt(
    { key: signing, ...defined({ kid: keyId }) },
    {
      [modifyAssertion](header, claims) {
        Object.assign(header, { alg: algorithm, typ: 'JWT' });
        Object.assign(claims, { iat, exp: iat + lifetimeSec, nbf: undefined });
      },
    },
  );
}
