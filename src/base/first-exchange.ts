/** One of the first questions of a client and its answer, each as the line that it is on the wire. */
export interface FirstExchange {
  readonly line: string;
  readonly answer: string;
}

/** More than these no client asks before it does something. */
export const mostFirst = 8;
