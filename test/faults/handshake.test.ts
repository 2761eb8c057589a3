// @module-tag large
import { describe } from 'vitest';
import type { Era } from '../flows/support.ts';
import { allFail, allWork, type Fault, fails } from './fault.ts';
import { runTogether } from './table.ts';

const short = { settings: { startTimeoutMs: 400 } };
const question = { legacy: 'initialize', modern: 'discover' } as const;

/** What can happen to the first question, in the words of either era. */
function either(era: Era): Fault[] {
  const named = (...ends: string[]) => ends.map((end) => `${question[era]} is answered ${end}`);
  const legacy = era === 'legacy';
  return [
    ...allFail(
      /did not answer the handshake within 0\.4 s/,
      [
        `${question[era]} is never answered`,
        ...named('under another id', 'under the id null', 'over several lines', 'in UTF-16'),
        ...named('by half a line and silence'),
      ],
      short,
    ),
    ...allFail(/refused the handshake/, [
      ...named('with an error of 1 MB', 'with an error of null', 'with an error that is a text'),
      ...named('with null', 'with a list', 'with a text', 'with neither result nor error'),
    ]),
    // A server of the stateless era is asked to initialize next, and says that it does not know that.
    ...allFail(legacy ? /the disk is full/ : /refused the handshake/, named('with an error')),
    ...allFail(legacy ? /version/ : /refused the handshake/, [
      ...named('with nothing in it', 'with the result of a call'),
    ]),
    ...allFail(/Tool 'echo' not found/, [
      ...named('with capabilities of null', 'with capabilities that are a list'),
      ...named('with capabilities in the prototype'),
    ]),
    ...allFail(/refused the handshake/, named('with broken JSON', 'with a byte order mark')),
    ...allFail(/exited with code 7/, named('by half a line and death')),
    ...allFail(/before the handshake/, named('by a closed stdout')),
    ...allFail(/SIGKILL/, [`${question[era]} kills the server`]),
    ...allFail(/exited with code 6/, [`${question[era]} ends the server`]),
    ...allFail(/exited with code 0|was lost/, named('right before the exit')),
    ...allFail(/the limit is/, named('with 70 MB')),
    ...allWork([
      ...named('twice', 'under the id as a text', 'in a batch', 'byte by byte', 'with a carriage return'),
      ...named('after 10,000 notifications', 'after questions to us', 'with 10 MB of instructions'),
      ...named('with a deep introduction'),
    ]),
  ];
}

const others: Readonly<Record<Era, readonly Fault[]>> = {
  legacy: [
    ...allFail(/protocol version/, [
      'initialize is answered with an unknown version',
      'initialize is answered with a version of 1 MB',
      'initialize is answered with a version that is a number',
      'initialize is answered with a deep version',
    ]),
    fails('initialized ends the server', /exited with code 8/),
    ...allWork(['the probe ends the server', 'the probe closes the stdout', 'the probe is answered with null']),
    ...allWork(['the probe is never answered']),
  ],
  modern: [
    fails('discover is answered with a future version only', /only protocol versions/),
    fails('discover is answered with versions that are a text', /refused the handshake/),
    fails('discover is answered with a deep version', /only protocol versions|refused the handshake/),
    fails('discover is refused for the version it names', /only protocol versions|refused the handshake/),
    fails('discover is refused for its headers', /headers differ/),
  ],
};

describe('a fault of the handshake harms nobody else', () => {
  runTogether({ title: 'a server of which', faults: (era) => [...either(era), ...others[era]] });
});
