/** A file that exists and must not be used. The message names it and says why. */
export class FileFault extends Error {
  readonly path: string;
  /** A phrase that follows the path. */
  readonly fault: string;

  constructor(path: string, fault: string) {
    super(`${path} ${fault}`);
    this.name = 'FileFault';
    this.path = path;
    this.fault = fault;
  }
}
