/**
 * A person has to open an address before a call can be made. Thrown past all code that turns failures into results, up to the
 * edge of the client, which knows how its era asks a person.
 */
export class UrlNeeded extends Error {
  /** Names this need: the same for all calls that wait for the same thing. */
  readonly id: string;
  readonly url: string;
  /** Resolves when the address is no longer needed, with any outcome. */
  readonly done: Promise<void>;

  constructor(message: string, { id, url, done }: { id: string; url: string; done: Promise<void> }) {
    super(message);
    this.name = 'UrlNeeded';
    this.id = id;
    this.url = url;
    this.done = done;
  }
}
