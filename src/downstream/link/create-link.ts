/** Makes a link. It stands apart from the class, so that a start can greet its client before the code of links is loaded. */
import type { ServerContext } from '../connection/server-context.ts';
import { Link, type LinkOptions } from './link.ts';

export function createLink(context: ServerContext, options: LinkOptions): Link {
  return new Link(context, options);
}
