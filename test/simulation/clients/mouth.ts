/** The two sides of a server in a schedule: what it is told and does, and how it makes itself heard. */
import type { Json, JsonObject } from '../../../src/base/json/json.ts';
import type { Watched } from '../checks/records.ts';
import type { Work } from '../checks/work-record.ts';

/** What a server does, whatever carries its messages. */
export interface Server {
  take(message: JsonObject): void;
  /** Calls that it can go on with. */
  ready(): Work[];
  goOn(work: Work): void;
  /** Says something that nobody asked for. */
  speakUp(): void;
  /** What it still works on, and what is still watched. */
  leftovers(): string[];
}

/** What a server can do at its end of the pipes. */
export interface Mouth extends Watched {
  say(message: JsonObject, onDelivered?: () => void): void;
  /** The Workbench has taken this request back. */
  isGivenUp(id: Json | undefined): boolean;
  crash(): void;
}
