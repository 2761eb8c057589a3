/** How we authenticate to a server that is reached by URL, where configured headers are not enough. */

export interface CredentialRefusal {
  readonly status: 401 | 403;
  /** `WWW-Authenticate`. */
  readonly challenge: string | undefined;
  /** The `Authorization` that was refused; a newer one may exist by now. */
  readonly sent: string | undefined;
}

export interface Credentials {
  /** The value of `Authorization`, or undefined while there is none. */
  header(): Promise<string | undefined>;
  /** The server refused a request. True when something changed and the request is worth one more try. */
  refused(answer: CredentialRefusal): Promise<boolean>;
}
