/** Errors of signing in and of the network. Part of the table in errors.ts. */
import { type ErrorEntry, exitCode } from './error-entry.ts';

export const networkErrors = {
  WB1201: {
    title: 'sign-in needed',
    meaning: 'The server answers only clients that have signed in, and the Workbench has no valid sign-in for it.',
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
      'The server knows the account and refuses access: the account or the token lacks a right, or the server accepts only certain networks.',
    fix: 'Check the rights of the account or token; then: mcp-workbench auth login <server>',
    exit: exitCode.signInNeeded,
  },
  WB1204: {
    title: 'authorization server not usable',
    meaning:
      'A server or its authorization server publishes how to sign in to it. This information is missing, contradicts itself, or is too weak to be safe.',
    fix: 'Check the "url" of the server, or use "headers" with a token.',
    exit: exitCode.signInNeeded,
  },
  WB1205: {
    title: 'no client at the authorization server',
    meaning:
      'A sign-in needs a registered client. The configuration does not name one, and the authorization server does not let this program register itself.',
    fix: 'Register a client at the authorization server and write its id into the configuration: "oauth": {"clientId": "…"}.',
    exit: exitCode.signInNeeded,
  },
  WB1206: {
    title: 'answer to a sign-in refused',
    meaning:
      'The answer that came back from the browser does not belong to the authorization server that was asked. It may be an attack and was not used.',
    fix: 'If this happens again, tell the operator of the server. To sign in again: mcp-workbench auth login <server>',
    exit: exitCode.signInNeeded,
  },
  WB1208: {
    title: 'private key not usable',
    meaning: 'The file named by "privateKeyFile" is missing, unreadable, or does not hold a key that fits "algorithm".',
    fix: 'Correct the path (relative to the configuration file), or replace the key with one in PEM or JWK format.',
    exit: exitCode.usage,
  },
  WB1209: {
    title: 'no port for the answer to a sign-in',
    meaning: 'The browser brings the answer to a port of this machine, and that port is in use or not allowed.',
    fix: 'End the program that uses the port, or change "redirectPort" in the "oauth" of the server.',
    exit: exitCode.inUse,
  },
  WB1301: {
    title: 'port in use',
    meaning: 'Another program, perhaps another Workbench, listens on the port that you chose for serve --http.',
    fix: 'Choose another port with --http=PORT. Without a number and without a token of your own, serve --http takes the next free port.',
    exit: exitCode.inUse,
  },
  WB1313: {
    title: 'address cannot be listened on',
    meaning:
      'The system does not let the Workbench listen on the address: it is not an address of this machine, or the port needs more rights.',
    fix: 'Use --host with an address of this machine and a port from 1024 on.',
    exit: exitCode.usage,
  },
  WB1314: {
    title: 'public address needed',
    meaning:
      'With "auth", a token is valid for one address of the service. A service that other machines can reach has several addresses, and must not trust the address that a client sends.',
    fix: 'Set "publicUrl" in "http" to the address that clients use, such as "https://bench.example".',
    exit: exitCode.usage,
  },
  WB1315: {
    title: 'wrong tokens',
    meaning:
      'A client sends tokens to serve --http that are not valid. The Workbench refuses each of them after a growing delay. The right token is still accepted.',
    fix: 'If it is your client, give it the token that serve --http shows. If not, find out which program sends from that address.',
    exit: exitCode.ok,
  },
  WB1316: {
    title: 'client message over a limit',
    meaning:
      'A message from a client was too large, held too many values, was nested too deep, or was too large a batch. The Workbench did not read it.',
    fix: 'Send less at once, or raise "requestBytes" or "requestValues" in "limits", or "maxBodyBytes" in "http".',
    exit: exitCode.toolFailed,
  },
  WB1317: {
    title: 'server message with too many values',
    meaning:
      'A message from a server held more values than "messageValues" in "limits" allows (2,000,000 by default). The Workbench did not read it.',
    fix: 'Ask for a smaller part of the data, or raise the limit.',
    exit: exitCode.toolFailed,
  },
  WB1302: {
    title: 'host name not found',
    meaning:
      'The host name in the "url" of a server has no address. It may be misspelt, the network may be missing, or only a VPN may know it.',
    fix: 'Check the "url" and the network.',
    exit: exitCode.unreachable,
  },
  WB1303: {
    title: 'secure connection failed',
    meaning:
      'The certificate of a server cannot be trusted, or the other side does not speak TLS. Nothing was sent to it.',
    fix: 'Have the certificate of the server corrected. For a certificate authority of your own, set NODE_EXTRA_CA_CERTS.',
    exit: exitCode.unreachable,
  },
  WB1304: {
    title: 'proxy refuses the connection',
    meaning:
      'The proxy in HTTP_PROXY, HTTPS_PROXY or ALL_PROXY cannot be reached, wants a password, or does not connect to the server.',
    fix: 'Correct the variable, or add the host of the server to NO_PROXY.',
    exit: exitCode.unreachable,
  },
  WB1305: {
    title: 'server cannot be reached',
    meaning: 'Nothing listens at the "url" of a server, or the connection broke before an answer came.',
    fix: 'Check that the server runs and that host and port are right.',
    exit: exitCode.unreachable,
  },
  WB1306: {
    title: 'not an MCP address',
    meaning: 'A server answers at the "url", but not an MCP server at that path.',
    fix: 'Check the path; it often ends in /mcp or /sse.',
    exit: exitCode.unreachable,
  },
  WB1307: {
    title: 'server answered with a failure',
    meaning:
      'The server, or a proxy in front of it, answered with a status that means that it is overloaded or broken at the moment.',
    fix: 'Try again later, or ask the operator of the server.',
    exit: exitCode.unreachable,
  },
  WB1308: {
    title: 'address refused',
    meaning:
      'A server or an authorization server named an address that the Workbench does not send requests to: it is not https, has a password in it, or leads to this machine or a private network.',
    fix: 'Check the address of the server. If the refused address is your own and private, write it into the configuration.',
    exit: exitCode.unreachable,
  },
  WB1309: {
    title: 'request to the authorization server failed',
    meaning:
      'A request for metadata, keys or tokens failed: no connection, no valid certificate, too slow, too large, or too many redirects.',
    fix: 'Check that this machine can reach the host, through the proxy if you use one.',
    exit: exitCode.unreachable,
  },
  WB1310: {
    title: 'sign-in address refused',
    meaning:
      'The address that a server wants you to open in a browser is not a plain https address. It was not opened.',
    fix: 'Report it to the maker of the server: it may be an attempt to run a program on this machine.',
    exit: exitCode.unreachable,
  },
  WB1311: {
    title: 'answer is not an MCP message',
    meaning:
      'A server with a "url" answered with something that is not a message of the protocol: a web page, a compressed body, or the answer to another request.',
    fix: 'Check the "url"; a login page or a proxy may have answered instead.',
    exit: exitCode.unreachable,
  },
  WB1312: {
    title: 'redirect not followed',
    meaning:
      'A server redirects to another address, or too often. Headers and tokens are for the configured address only, so the Workbench did not follow the redirect.',
    fix: 'If you trust the address in the message, write it as "url".',
    exit: exitCode.unreachable,
  },
} as const satisfies Record<string, ErrorEntry>;
