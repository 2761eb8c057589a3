// @module-tag large
import { describe } from 'vitest';
import { allFail, allWork, fails } from './fault.ts';
import { runEach, runTogether } from './table.ts';

/** Faults that cost whoever has to show the whole list, so they are tried where it is shown. */
const heavy = [
  'the list has 10,000 tools',
  'the list has one tool 10,000 times',
  'the list has a schema of 10 MB',
  'the list has a deep schema',
  'the list has: pages without end',
  'the list has: a description of 5 MB',
  'the list changes 20,000 times while it is read',
  'the list changes whenever it is read',
];

describe('a fault of a list harms nobody else', () => {
  runTogether({
    title: 'a server of which',
    faults: () => [
      ...allFail(/does not list its tools: .*\[WB1024\]/, [
        'the list is answered with an error',
        'the list is answered with an error of 1 MB',
        'the list is answered with an error of null',
        'the list is answered with a text',
        'the list is answered with tools by name',
        'the list has: no list in the answer',
        'the list has: a result of null for the list',
      ]),
      ...allFail(/Tool 'echo' not found/, [
        'the list is answered with nothing',
        'the list is answered with a list in a list',
      ]),
      fails('the list ends the server', /exited with code 10/),
      fails('the list kills the server', /SIGKILL/),
      fails('the list is answered by half a line and death', /exited with code 7/),
      fails('the list is answered with 70 MB', /the limit is/),
      ...allWork([
        'the list is answered twice',
        'the list is answered byte by byte',
        'the list has 20,000 entries that are none',
        'the list has a schema with an evil pattern',
        'the list has a schema that refers to itself',
        'the list has names that look alike',
        'the list has names that look like other names',
        'the list has a cursor that comes again',
        'the list has two cursors that take turns',
        'the list has a cursor that is a number',
        'the list has a cursor of 100 KB, and another',
        'the list has a second page that fails',
        'the list comes with questions to us',
        'the list has: names of the prototype',
        'the list has: control characters in names',
        'the list has: entries of every type',
        'the list has: schemas of every type',
        'the list has: a cursor of the wrong type',
        'the list has: deep annotations',
        'the list has: a name of 1 MB',
        'the list has: the prototype as a member',
        'the list is lost when it is read again',
      ]),
    ],
  });

  runEach({
    title: 'a server all of whose tools are shown and of which',
    eras: ['legacy'],
    faults: () => [
      ...allWork(heavy),
      ...allFail(
        /still starting/,
        [
          'the list is never answered',
          'the list is answered under another id',
          'the list has a second page that never comes',
        ],
        { startWaitMs: 400 },
      ),
    ],
  });
});
