/** Addresses in the file that secrets are sent to, or whose answers are believed: https, or on this machine. */
import { isLoopback } from '../../base/loopback.ts';
import type { FilePosition } from '../document/json-node.ts';
import type { Reading } from './read-text.ts';

export function checkAddress(text: string, path: string, place: FilePosition, { report }: Reading): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) report.error('WB1405', place, `${path} must be a URL`);
  else if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    report.error('WB1405', place, `${path} must begin with https://`, 'http is allowed on this machine only.');
  else if (url.username !== '' || url.password !== '' || url.hash !== '')
    report.error('WB1405', place, `${path} must not contain a user name, a password or "#"`);
}
