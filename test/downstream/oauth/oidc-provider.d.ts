/** The part of `oidc-provider` that the tests use; the package brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface StoredToken {
    readonly scope?: string;
    readonly aud?: string | readonly string[];
    readonly isExpired: boolean;
    destroy(): Promise<void>;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly AccessToken: { find(value: string): Promise<StoredToken | undefined> };
    readonly ClientCredentials: { find(value: string): Promise<StoredToken | undefined> };
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    on(event: string, listener: (...args: unknown[]) => void): this;
  }
  // biome-ignore lint/style/noDefaultExport: this is how the package is written
  export default Provider;
}
