/**
 * Says what went wrong on the way to a server so that a person can act: the one translation from the code of an error or the status
 * of an answer. A message contains no more of an address than its origin, and nothing of headers or bodies.
 */
import { WorkbenchError } from '../../base/errors/errors.ts';
import { toOwnCommand } from '../../base/text/own-command.ts';
import { toPrintable } from '../../base/text/printable.ts';

/** Faults of a certificate, by OpenSSL's names. */
const certificateFaults = new Map([
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['CERT_NOT_YET_VALID', 'its certificate is not valid yet'],
  ['CERT_REVOKED', 'its certificate has been revoked'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is self-signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate comes from an authority this machine does not know'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'its certificate comes from an authority this machine does not know'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'its certificate comes from an authority this machine does not know'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'it does not send the certificates between its own and a known authority'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another host'],
  ['HOSTNAME_MISMATCH', 'its certificate is for another host'],
]);

const ownAuthority =
  'If the authority is your own, name its certificate in NODE_EXTRA_CA_CERTS and start the client again.';

/** Codes that mean that the machine or port cannot be reached: nothing has been sent. */
const unreachable = new Map([
  ['ECONNREFUSED', 'refused the connection: nothing listens there'],
  ['EHOSTUNREACH', 'cannot be reached from this network'],
  ['ENETUNREACH', 'cannot be reached from this network'],
  ['EHOSTDOWN', 'cannot be reached from this network'],
  ['EADDRNOTAVAIL', 'cannot be reached from this network'],
  ['ETIMEDOUT', 'does not answer'],
]);

export interface ServerAddress {
  /** Name of the server in the configuration. */
  readonly server: string;
  readonly url: URL;
}

export function toNetworkFailure({ server, url }: ServerAddress, error: unknown): WorkbenchError {
  if (error instanceof WorkbenchError) return error;
  const code = findCode(error);
  const at = `Server '${server}' at ${url.origin}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EAI_FAIL' || code === 'EAI_NODATA') {
    return new WorkbenchError(
      'WB1302',
      `The name '${url.hostname}' of server '${server}' cannot be resolved (${code}).`,
    );
  }
  const fault = certificateFaults.get(code);
  if (fault !== undefined) {
    const known = code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID' || code.includes('ALTNAME');
    return new WorkbenchError(
      'WB1303',
      `${at} is not trusted: ${fault} (${code}).`,
      known ? {} : { fix: ownAuthority },
    );
  }
  if (code === 'EPROTO' || /^ERR_(SSL|TLS)_/.test(code)) {
    return new WorkbenchError('WB1303', `${at} does not speak TLS as expected (${toPrintable(code, 80)}).`, {
      fix: 'Check whether the address should begin with http:// or has another port.',
    });
  }
  const why = isOfConnecting(error) ? unreachable.get(code) : undefined;
  if (why !== undefined) return new WorkbenchError('WB1305', `${at} ${why} (${code}).`, { cause: error });
  return new WorkbenchError(
    'WB1305',
    `The connection to server '${server}' at ${url.origin} broke (${toPrintable(code, 80)}).`,
    {
      cause: error,
    },
  );
}

/** Whether the failure shows that the server cannot be reached at all, so that nothing was sent. */
export function isUnreachable({ code, cause }: WorkbenchError): boolean {
  return code === 'WB1302' || code === 'WB1303' || code === 'WB1304' || (code === 'WB1305' && isOfConnecting(cause));
}

/** A connection that once stood can end with the same codes. */
function isOfConnecting(error: unknown): boolean {
  return (findFirst(error) as NodeJS.ErrnoException | undefined)?.syscall === 'connect';
}

/** For an answer whose status is a failure and that contains no JSON-RPC error to pass on. */
export function toStatusFailure({ server, url }: ServerAddress, status: number): WorkbenchError {
  const at = `Server '${server}' at ${url.origin}`;
  if (status === 401) {
    return new WorkbenchError('WB1201', `Server '${server}' wants a sign-in (status 401).`, {
      fix: `Run: ${toOwnCommand(['auth', 'login'], [server])}`,
    });
  }
  if (status === 403)
    return new WorkbenchError('WB1203', `Server '${server}' refuses access (status 403).`, { server });
  if (status === 404 || status === 405 || status === 410) {
    return new WorkbenchError('WB1306', `${at} does not offer MCP under this path (status ${status}).`);
  }
  return new WorkbenchError('WB1307', `${at} answered with a failure (status ${status}).`);
}

export function lostAnswer(server: string): WorkbenchError {
  return new WorkbenchError(
    'WB1010',
    `The connection to server '${server}' was lost before its answer came. Whether the call had its effect is unknown.`,
    { fix: 'Check what the call did before repeating it. The next call connects again.' },
  );
}

export function tooLarge(server: string, limit: number): WorkbenchError {
  return new WorkbenchError(
    'WB1012',
    `Server '${server}' sent a message of more than ${limit} bytes, which is the limit.`,
  );
}

export function notMcp({ server, url }: ServerAddress, what: string): WorkbenchError {
  return new WorkbenchError('WB1311', `Server '${server}' at ${url.origin} ${what}.`);
}

function findCode(error: unknown): string {
  const code = (findFirst(error) as NodeJS.ErrnoException | undefined)?.code;
  return typeof code === 'string' ? code : 'unknown reason';
}

/** Node tries several addresses of one name and then reports all of their failures as one. */
function findFirst(error: unknown): Error | undefined {
  if (error instanceof AggregateError && error.errors.length > 0) return findFirst(error.errors[0]);
  return error instanceof Error ? error : undefined;
}
