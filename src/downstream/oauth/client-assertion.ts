/** Proof of a client by its private key (RFC 7523): a short-lived JWT, signed by Node's own cryptography. */
import { createPrivateKey, type KeyObject, randomUUID, sign } from 'node:crypto';
import { codeOf } from '../../base/code-of.ts';
import { WorkbenchError } from '../../base/errors.ts';
import { findString, isObject, type JsonObject } from '../../base/json.ts';
import { type KeyAlgorithm, keyAlgorithms } from '../../config/schema.ts';
import { FileFault } from '../../state/file-fault.ts';
import { type NamedFile, readNamed } from '../../state/named-file.ts';
import { currentOwner } from '../../state/owner.ts';
import { findStranger } from '../../state/strangers.ts';

export interface SigningKey {
  readonly key: KeyObject;
  readonly algorithm: KeyAlgorithm;
  readonly keyId: string | undefined;
}

const lifetimeSec = 120;
const rsaPssPadding = 6; // RSA_PKCS1_PSS_PADDING

/** A PEM file, or a JWK as JSON. Read anew for each use: keys are replaced. */
export function readSigningKey(file: string, algorithm: KeyAlgorithm | undefined): SigningKey {
  const text = readKeyFile(file);
  const jwk = parseJwk(text);
  let key: KeyObject;
  try {
    key = jwk === undefined ? createPrivateKey(text) : createPrivateKey({ key: jwk, format: 'jwk' });
  } catch {
    throw new WorkbenchError('WB1208', `The file ${file} holds no private key that can be used.`);
  }
  const fitting = fittingAlgorithms(key);
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

const mostBytes = 1_024 * 1_024;

function readKeyFile(file: string): string {
  let found: NamedFile;
  try {
    found = readNamed(file, mostBytes);
  } catch (cause) {
    if (cause instanceof FileFault) throw new WorkbenchError('WB1208', `The private key ${cause.message}.`);
    throw new WorkbenchError('WB1208', `The private key ${file} cannot be read (${codeOf(cause)}).`);
  }
  const stranger = findStranger(found.facts, currentOwner());
  if (stranger !== undefined) throw new WorkbenchError('WB1921', `The private key ${file} ${stranger}.`);
  return found.bytes.toString('utf8');
}

export function createAssertion(
  { key, algorithm, keyId }: SigningKey,
  { clientId, audience, nowMs }: { clientId: string; audience: string; nowMs: number },
): string {
  const issuedAt = Math.floor(nowMs / 1_000);
  const header = { alg: algorithm, typ: 'JWT', ...(keyId === undefined ? {} : { kid: keyId }) };
  const claims = { iss: clientId, sub: clientId, aud: audience, jti: randomUUID(), iat: issuedAt };
  const content = `${encode(header)}.${encode({ ...claims, exp: issuedAt + lifetimeSec })}`;
  return `${content}.${signContent(content, key, algorithm).toString('base64url')}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signContent(content: string, key: KeyObject, algorithm: KeyAlgorithm): Buffer {
  const data = Buffer.from(content);
  switch (algorithm) {
    case 'RS256':
      return sign('sha256', data, key);
    case 'PS256':
      return sign('sha256', data, { key, padding: rsaPssPadding, saltLength: 32 });
    case 'ES256':
      return sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' });
    case 'ES384':
      return sign('sha384', data, { key, dsaEncoding: 'ieee-p1363' });
    case 'EdDSA':
      return sign(null, data, key);
  }
}

function fittingAlgorithms(key: KeyObject): KeyAlgorithm[] {
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return ['RS256', 'PS256'];
    case 'ed25519':
      return ['EdDSA'];
    case 'ec':
      return key.asymmetricKeyDetails?.namedCurve === 'secp384r1'
        ? ['ES384']
        : key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
          ? ['ES256']
          : [];
    default:
      return [];
  }
}

function parseJwk(text: string): JsonObject | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
