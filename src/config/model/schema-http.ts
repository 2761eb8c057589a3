/** The keys that say how HTTP is served, and to whom. Part of the schema in schema.ts. */
import { tokenAlgorithms } from '../../base/errors/token-algorithms.ts';
import { boolean, choice, integer, list, object, text } from './schema-dsl.ts';

export const httpShape = object(
  'http',
  {
    port: integer({
      min: 0,
      max: 65_535,
      doc: 'Port to listen on. Default: 3917, or the next free port unless you set a token. A port that you set is the only one tried. `--http=PORT` wins.',
    }),
    host: text({
      default: '127.0.0.1',
      doc: 'Address to listen on. The default can be reached from this machine only. `--host` wins.',
    }),
    allowedHosts: list(text({ doc: 'Name, or `name:port`.' }), {
      doc: 'Names under which clients reach the service, besides those of this machine. `--allow-host` adds to them.',
    }),
    allowedOrigins: list(text({ doc: 'Origin, such as `https://app.example`.' }), {
      doc: 'Origins that may send requests. `--allow-origin` adds to them.',
    }),
    publicUrl: text({
      doc: 'Address under which clients reach the service through a proxy, such as `https://host`. Its host is allowed, and tokens (`auth`) must be issued for it. Needed with `auth` when other machines can reach the service.',
    }),
    sse: boolean({
      default: false,
      doc: 'Also offers the HTTP+SSE transport of 2024-11-05 at `/sse`. `--sse` does the same.',
    }),
    maxBodyBytes: integer({
      min: 1_024,
      max: 1_073_741_824,
      default: 8_388_608,
      doc: 'Largest body of a request; a larger one is answered with status 413.',
    }),
  },
  { doc: 'How `serve --http` listens. This key does not switch HTTP on.' },
);

export const authShape = object(
  'auth',
  {
    issuer: text({
      doc: 'Address of the issuer, exactly as its tokens name it in `iss`. Its keys are found by discovery (RFC 8414 or OpenID Connect).',
    }),
    audience: text({
      doc: 'Further values that `aud` of a token may have. Default: only the address of the endpoint, such as `https://host/mcp`.',
    }),
    jwksUri: text({ doc: 'Address of the keys, for an issuer without discovery.' }),
    scopes: list(text({ doc: 'One scope.' }), { doc: 'Scopes that every token must have. Default: none.' }),
    allToolboxes: boolean({
      default: false,
      doc: 'Lets every accepted token use every toolbox. Otherwise a token needs the scope `toolbox:<name>` for each.',
    }),
    algorithms: list(choice(tokenAlgorithms, { doc: 'Name of an algorithm.' }), {
      doc: 'Signatures to accept. Default: all of them.',
    }),
  },
  {
    doc: 'The issuer whose tokens the HTTP endpoints accept (OAuth 2). With this key, the Workbench does not make a token of its own.',
  },
);
