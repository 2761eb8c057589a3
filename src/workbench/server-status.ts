/** A server as it stands: what is configured, and how its link is. */
import type { ServerDefinition } from '../config/config.ts';
import type { LinkStatus } from '../downstream/link.ts';

export interface ServerStatus extends LinkStatus {
  readonly key: string;
  readonly name: string;
  readonly transport: ServerDefinition['transport']['kind'];
  readonly shown: string;
  readonly toolboxes: readonly string[];
  /** Tools it listed, before filters; undefined until it was heard once. */
  readonly tools?: number;
}
