/** An issuer of tokens on loopback, with everything about it that a test may want to change while it runs. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose';

export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

export async function createKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

export interface FakeIssuer {
  readonly issuer: string;
  /** What the key set shows now. */
  keys: JWK[];
  /** Changes to the discovery document. */
  discovery: Record<string, unknown>;
  /** Answers everything with this status, when set. */
  failWith: number | undefined;
  /** Paths that were asked for, in order. */
  readonly asked: string[];
  close(): Promise<void>;
}

export async function startIssuer({ path = '' } = {}): Promise<FakeIssuer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const documents = new Map<string, unknown>([
      ['/keys', { keys: fake.keys }],
      [
        `${path}/.well-known/openid-configuration`,
        { issuer: fake.issuer, jwks_uri: `${origin}/keys`, ...fake.discovery },
      ],
    ]);
    const document = documents.get(request.url ?? '');
    response.writeHead(fake.failWith ?? (document === undefined ? 404 : 200), { 'content-type': 'application/json' });
    response.end(JSON.stringify(document ?? {}));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fake: FakeIssuer = {
    issuer: `${origin}${path}`,
    keys: [],
    discovery: {},
    failWith: undefined,
    asked,
    close: () => new Promise((done) => server.close(() => done())),
  };
  return fake;
}

/** A signed token; members set to undefined are left out. */
export function sign(
  claims: Record<string, unknown>,
  { privateKey, alg, kid }: Pick<SigningKey, 'privateKey' | 'alg' | 'kid'>,
  header: object = {},
): Promise<string> {
  const payload = JSON.parse(JSON.stringify(claims)) as JWTPayload;
  const all = JSON.parse(JSON.stringify({ alg, kid, typ: 'at+jwt', ...header })) as JWTHeaderParameters;
  return new SignJWT(payload).setProtectedHeader(all).sign(privateKey);
}
