/** Where the service is, and what lets a client in. */
export interface Place {
  readonly url: string;
  readonly token: string;
}
