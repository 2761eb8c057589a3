/** Errors of signing in and of the network. Part of the table in errors.ts. */
import { type ErrorEntry, exitCode } from './error-entry.ts';

export const networkErrors = {
  WB1201: {
    title: 'sign-in needed',
    meaning: 'The server answers only to those who have signed in, and there is no valid sign-in for it.',
    fix: 'Put a token into the "headers" of the server, or run: mcp-workbench auth login <server>',
    exit: exitCode.signInNeeded,
  },
  WB1202: {
    title: 'sign-in failed',
    meaning: 'The sign-in was denied, took too long, or the authorization server refused to give a token.',
    fix: 'Try again: mcp-workbench auth login <server>',
    exit: exitCode.signInNeeded,
  },
  WB1203: {
    title: 'access refused',
    meaning:
      'The server knows who asks and refuses it: the account or the token lacks a right, or the server accepts only certain networks.',
    fix: 'Check the rights of the account or token; then: mcp-workbench auth login <server>',
    exit: exitCode.signInNeeded,
  },
  WB1204: {
    title: 'authorization server not usable',
    meaning:
      'What a server or its authorization server publishes about signing in is missing, contradicts itself, or is too weak to be safe.',
    fix: 'Check the "url" of the server, or use "headers" with a token.',
    exit: exitCode.signInNeeded,
  },
  WB1205: {
    title: 'no client at the authorization server',
    meaning:
      'A sign-in is made in the name of a client. The configuration names none, and the authorization server does not register this program by itself.',
    fix: 'Register a client there and write its id into the configuration: "oauth": {"clientId": "…"}.',
    exit: exitCode.signInNeeded,
  },
  WB1206: {
    title: 'answer to a sign-in refused',
    meaning:
      'The answer that came back from the browser does not belong to the authorization server that was asked. It may be an attack and was not used.',
    fix: 'If it happens again, tell the operator of the server. Begin again: mcp-workbench auth login <server>',
    exit: exitCode.signInNeeded,
  },
  WB1208: {
    title: 'private key not usable',
    meaning: 'The file named by "privateKeyFile" is missing, unreadable, or holds no key that fits "algorithm".',
    fix: 'Correct the path (relative to the configuration file), or the key: PEM or JWK.',
    exit: exitCode.usage,
  },
  WB1209: {
    title: 'no port for the answer to a sign-in',
    meaning: 'The browser brings the answer to a port of this machine, and that port is in use or not allowed.',
    fix: 'End what uses the port, or change "redirectPort" in the "oauth" of the server.',
    exit: exitCode.inUse,
  },
  WB1301: {
    title: 'port in use',
    meaning: 'Another program, perhaps another Workbench, listens on the port that serve --http was told to use.',
    fix: 'Choose another port with --http=PORT. Without a number, and without a token of your own, the next free one is taken.',
    exit: exitCode.inUse,
  },
  WB1313: {
    title: 'address cannot be listened on',
    meaning:
      'The system refuses to listen there: the address is not one of this machine, or the port needs more rights.',
    fix: 'Use --host with an address of this machine and a port from 1024 on.',
    exit: exitCode.usage,
  },
  WB1314: {
    title: 'public address needed',
    meaning:
      'With "auth" a token is for one address. A service that other machines can reach has several, and must not believe what clients call it.',
    fix: 'Set "publicUrl" in "http" to the address that clients use, such as "https://bench.example".',
    exit: exitCode.usage,
  },
  WB1315: {
    title: 'wrong tokens',
    meaning:
      'Somebody sends tokens to serve --http that are not valid. They are refused, each a little later; the right token is accepted as ever.',
    fix: 'If it is a client of yours, give it the token that serve --http shows. If not, find out who sends from that address.',
    exit: exitCode.ok,
  },
  WB1316: {
    title: 'message of a client over a limit',
    meaning:
      'A message of a client was larger, held more values, was nested deeper or was a larger batch than is allowed. It was not read.',
    fix: 'Send less at once, or raise "requestBytes" or "requestValues" in "limits", or "maxBodyBytes" in "http".',
    exit: exitCode.toolFailed,
  },
  WB1317: {
    title: 'message of a server with too much in it',
    meaning:
      'A message of a server held more values than "messageValues" in "limits" allows (2,000,000 by default). It was not read.',
    fix: 'Ask for a smaller part of the data, or raise the limit.',
    exit: exitCode.toolFailed,
  },
  WB1302: {
    title: 'host name not found',
    meaning:
      'The host in the "url" of a server has no address: a typing mistake, no network, or a name that only a VPN knows.',
    fix: 'Check the "url" and the network.',
    exit: exitCode.unreachable,
  },
  WB1303: {
    title: 'secure connection failed',
    meaning:
      'The certificate of a server cannot be trusted, or the other side does not speak TLS. Nothing was sent to it.',
    fix: 'Have the certificate corrected where the server runs. For an authority of your own, set NODE_EXTRA_CA_CERTS.',
    exit: exitCode.unreachable,
  },
  WB1304: {
    title: 'proxy does not let us through',
    meaning:
      'A proxy is named in HTTP_PROXY, HTTPS_PROXY or ALL_PROXY and cannot be reached, wants a password, or refuses the server.',
    fix: 'Correct the variable, or add the host of the server to NO_PROXY.',
    exit: exitCode.unreachable,
  },
  WB1305: {
    title: 'server cannot be reached',
    meaning: 'Nothing listens under the "url" of a server, or the connection broke before an answer came.',
    fix: 'Check that the server runs and that host and port are right.',
    exit: exitCode.unreachable,
  },
  WB1306: {
    title: 'not an MCP address',
    meaning: 'Something answers under the "url", but no MCP server under that path.',
    fix: 'Check the path; it often ends in /mcp or /sse.',
    exit: exitCode.unreachable,
  },
  WB1307: {
    title: 'server answered with a failure',
    meaning:
      'The server, or something in front of it, answered with a status that means it is overloaded or broken at the moment.',
    fix: 'Try again later, or ask whoever runs the server.',
    exit: exitCode.unreachable,
  },
  WB1308: {
    title: 'address refused',
    meaning:
      'A server or an authorization server named an address that must not be asked: not https, with a password in it, or one of this machine or a private network.',
    fix: 'Check the address of the server. If it is your own and private, configure its address.',
    exit: exitCode.unreachable,
  },
  WB1309: {
    title: 'authorization server could not be asked',
    meaning:
      'A request for metadata, keys or tokens failed: no connection, no valid certificate, too slow, too large, or too many redirects.',
    fix: 'Check that the host can be reached from this machine, also through a proxy if there is one.',
    exit: exitCode.unreachable,
  },
  WB1310: {
    title: 'sign-in address refused',
    meaning:
      'The address that a server wants you to open in a browser is not a plain https address. It was not opened.',
    fix: 'Report it to the maker of the server; it may be an attempt to run something on this machine.',
    exit: exitCode.unreachable,
  },
  WB1311: {
    title: 'answer that is no MCP message',
    meaning:
      'A server reached by "url" answered with something that is no message of the protocol: a web page, a compressed body, or the answer to something else.',
    fix: 'Check the "url"; a login page or a proxy may stand in the way.',
    exit: exitCode.unreachable,
  },
  WB1312: {
    title: 'redirect not followed',
    meaning:
      'A server sends us on to another place, or too often. Headers and tokens are for the configured place only, so the redirect was not followed.',
    fix: 'If you trust the place in the message, write it as "url".',
    exit: exitCode.unreachable,
  },
} as const satisfies Record<string, ErrorEntry>;
