/** What a verb does, so that `upload the file` does not find a tool that deletes files. A verb may be of two kinds. */
import { toStem } from './stem.ts';

const kinds: readonly string[] = [
  // create
  'create add new make insert generate build write upload put post open register draft compose schedule book save store push import provision deploy publish import invite attach clone fork copy duplicate',
  // delete
  'delete remove drop destroy erase clear purge unlink uninstall trash discard revoke detach close archive cancel reject',
  // update
  'update edit modify change set rename approve patch put replace adjust alter move assign mark configure enable disable merge write resize save rotate reset transfer reschedule complete close archive restore publish',
  // read
  'get list read find search fetch show view query look lookup see check describe display retrieve browse download export count inspect monitor analyze analyse compare summarize summarise verify validate track scan scrape crawl extract take capture translate calculate convert recommend learn navigate open',
  // send
  'send post email mail message reply forward notify publish share text submit push broadcast tweet call deliver invite',
  // run
  'run execute start launch trigger invoke deploy perform restart resume play call click press tap evaluate test boot reboot rerun retry open apply',
  // stop
  'stop cancel kill terminate abort pause halt end shutdown suspend disable close disconnect logout',
];

/** Words that are as often a thing: they count only where the name has no other verb, so that `delete_message` does not send. */
const alsoThings = new Set(
  'email mail message text call test play view post share book draft request query copy clone fork trash mark new track count look'
    .split(' ')
    .map(toStem),
);

const masks: ReadonlyMap<string, number> = readMasks();

/** A bit for each kind of the verbs among some stems; 0 when there is none. */
export function verbsOf(stems: Iterable<string>): number {
  let verbs = 0;
  let things = 0;
  for (const stem of stems) {
    const mask = masks.get(stem) ?? 0;
    if (alsoThings.has(stem)) things |= mask;
    else verbs |= mask;
  }
  return verbs === 0 ? things : verbs;
}

function readMasks(): Map<string, number> {
  const found = new Map<string, number>();
  for (const [at, words] of kinds.entries())
    for (const word of words.split(' ')) found.set(toStem(word), (found.get(toStem(word)) ?? 0) | (1 << at));
  return found;
}
