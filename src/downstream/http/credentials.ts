/** How a server reached by URL is shown who we are, where configured headers are not enough. */

export interface Refusal {
  readonly status: 401 | 403;
  /** `WWW-Authenticate`. */
  readonly challenge: string | undefined;
  /** The `Authorization` that was refused: by now there may be another one. */
  readonly sent: string | undefined;
}

export interface Credentials {
  /** The value of `Authorization`, or undefined while there is none. */
  header(): Promise<string | undefined>;
  /** The server refused a request. True when something changed and the request is worth one more try. */
  refused(answer: Refusal): Promise<boolean>;
}
