/** Two words of a query that mean something else together than apart, and the words that tools use for it. */
import { toStem } from './stem.ts';

const phrases = `
turn on: enable activate start
switch on: enable activate start
turn off: disable deactivate stop
switch off: disable deactivate stop
set up: create configure setup
shut down: stop terminate shutdown
look up: search find lookup
look for: search find
find out: search get
sign in: login authenticate
log in: login authenticate
sign out: logout
log out: logout
sign up: register subscribe
check in: checkin commit
hand over: assign transfer
put in: add insert
put on: add
get rid: delete remove
throw away: delete remove
take down: delete remove unpublish
take off: remove
bring back: restore
call off: cancel
carry out: execute run
kick off: start run trigger
fill in: fill input form
fill out: fill input form
write down: note create
back up: backup
roll back: rollback restore revert
spin up: create start
tear down: delete destroy
go to: navigate open
how much: price cost amount balance
how many: count number
how far: distance
how long: duration time
how old: age
what time: time timezone
let know: notify message
`;

const meanings: ReadonlyMap<string, readonly string[]> = readPhrases();

/** Stems of the words for a phrase; undefined when the two words are not one. Words are in lower case. */
export function findPhrase(first: string, second: string): readonly string[] | undefined {
  return meanings.get(`${toStem(first)} ${second}`);
}

function readPhrases(): Map<string, readonly string[]> {
  const lines = phrases.trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [phrase = '', words = ''] = line.split(': ');
      const [first = '', second = ''] = phrase.split(' ');
      return [`${toStem(first)} ${second}`, words.split(' ').map(toStem)];
    }),
  );
}
