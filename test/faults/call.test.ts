// @module-tag large
import { describe } from 'vitest';
import type { Era } from '../flows/support.ts';
import { runCalls } from './call-table.ts';
import { allFail, allWork, answers, type Fault, fails, works } from './fault.ts';
import { stdioServer } from './stdio-server.ts';

/** These are quicker than the limit, but not by much on a busy machine. */
function slow(era: Era): Fault[] {
  return [
    works('sends progress until it answers'),
    fails('closes its stdin', /exited with code 0/, { lingers: true }),
    // Whose answer it was can only be told when a single request is open.
    fails('answers 70 MB under an id at its end', era === 'legacy' ? /the limit is|no answer/ : /no answer/, {
      lingers: true,
    }),
  ];
}

function late(): Fault[] {
  return [
    // What it says next is on the same line.
    fails('answers without a newline', /gave no answer within 0\.4 s/, { lingers: true }),
    ...allFail(/gave no answer within 0\.4 s/, [
      ...['never answers', 'answers another id', 'answers too late'],
      ...['answers over several lines', 'answers with keys in another case'],
    ]),
  ];
}

const neither = /neither a result object nor an error/;

function prompt(era: Era): Fault[] {
  const legacy = era === 'legacy';
  return [
    ...[
      ...['answers the id as a text', 'answers byte by byte', 'answers with carriage returns'],
      ...['answers a line and a half', 'answers members twice', 'answers another version of JSON-RPC'],
      ...[
        'answers without a version of JSON-RPC',
        'exits after its answer',
        'exits after its answer without a newline',
      ],
      ...['answers twice', 'answers under the id as a decimal', 'answers in a batch'],
      ...['an error of null beside a result'],
    ].map((name) => answers(name, /"text":"done"/)),
    answers('exits after its answer', /"text":"done"/, { lingers: true }),
    answers('exits after its answer without a newline', /"text":"done"/, { lingers: true }),
    answers('answers a raw line separator', /a\u2028b\u2029c/),
    answers('answers a NUL in a text', /a\\u0000b/),
    answers('answers text that is no UTF-8', /\ufffd/),
    answers('answers an overlong character', /\ufffd/),
    answers('answers lone surrogates', /\\ud800 \\udfff/),
    answers('answers numbers out of range', /"b":9007199254740993/),
    answers('answers the prototype', /"__proto__":\{"isError":true\}/),
    answers('answers 100,000 members', /"k99":99/),
    answers('answers 10 MB', /xxxx/),
    answers('answers nothing in an object', /"result":\{/),
    answers('answers content that is no list', /"content":"done"/),
    answers('answers content of null', /"content":null/),
    answers('answers content of every type', /"content":\[null,1,"x"/),
    answers('answers a deep content', /"content":\[\{/),
    answers('structured content that is a list', /\[1\]/),
    answers('metadata of the wrong type', /"content":\[\]/),
    answers('an error with deep data', /"error":\{/),
    answers('a deep result', /"content":\[\]/),
    answers('answers an error with a code that is a text', /the disk is full/),
    answers('answers an error with 10 MB of data', /much data/),
    answers('answers that it does not know the method', /Method not found/),
    answers('answers that our JSON is broken', /Parse error/),
    answers('result and error both', /both/),
    answers('an error of 1 MB', /xxxx/),
    ...allFail(/the limit is/, ['answers 70 MB', 'an answer over the limit']),
    ...allFail(/error without a message/, ['answers an error without a message', 'an error without members']),
    ...allFail(/cut off or not valid JSON/, [
      ...['answers half a line', 'answers with a byte order mark', 'answers NaN', 'answers Infinity'],
      ...['answers a trailing comma', 'answers single quotes', 'answers a comment', 'answers a raw tab in a text'],
    ]),
    ...allFail(neither, [
      ...['answers an error that is a number', 'an error of null alone', 'a result of null', 'a result that is a list'],
      ...['a result that is a text', 'neither result nor error', 'an error that is a text'],
    ]),
    legacy
      ? answers('answers that it needs input', /input_required/)
      : fails('answers that it needs input', /asks for input against the rules/),
    fails('exits with code 0', /exited with code 0.*unknown/),
    fails('exits with code 3', /exited with code 3.*unknown/),
    fails('exits after half its answer', /exited with code 7/),
    fails('half an answer and death', /exited with code 7/),
    fails('exits after last words', /exited with code 12/),
    fails('exits after 5 MB of last words', /exited with code 12/),
    fails('throws', /exited with code 1/),
    fails('is killed', /SIGKILL/),
    fails('aborts', /SIGABRT/),
    fails('dies of a bus error', /SIGBUS/),
    fails('exits and leaves a child that holds its pipes', /exited with code 13/),
    fails('closes its stdout', /'faulty-\d+' (?:exited|was ended)/),
    fails('a closed stdout', /'faulty-\d+' (?:exited|was ended)/),
    ...allWork([
      ...['answers a request of its own under our id', 'answers unknown ids', 'answers without an id'],
      ...['answers under the id null', 'answers under odd ids', 'answers with two ids'],
      ...['progress for foreign tokens', 'progress for tokens without a text', 'deep progress', 'odd progress'],
      ...['deep log messages', 'odd log messages', 'odd notifications', 'requests of its own'],
      ...['requests under odd ids', 'noise of 1 MB', 'NUL bytes', 'broken UTF-8'],
      ...['a byte order mark and carriage returns', 'every JSON type as a message'],
    ]),
  ];
}

const notifications: readonly Fault[] = allWork([
  'sends 100,000 progress notifications',
  'sends 100,000 for foreign tokens',
  'sends 100,000 log messages',
  'sends 100,000 log messages below the level',
  'sends 100,000 notifications nobody knows',
  'sends 100,000 changes of its tools',
  'sends 50,000 changes of resources',
  'sends 20,000 questions to us',
  'sends 20,000 questions we do not answer',
  'sends 50,000 answers nobody asked for',
  'sends 50,000 lines that are no message',
  'cancels our call',
  'cancels all our calls',
  'says that it is initialized',
  'sends log messages with escape sequences',
  'sends a log message of 10 MB',
  'sends progress of 10 MB',
  'sends progress that goes backwards',
  'sends progress after its answer',
]);

const streams: readonly Fault[] = allWork([
  'floods stderr with 50 MB',
  'writes one line of 50 MB on stderr',
  'writes half a message on stderr',
  'writes escape sequences on stderr',
  'writes 20 MB of binary garbage',
  'writes 5 MB of empty lines',
  'writes 2 MB of opening brackets',
  'stops reading for a while',
]);

describe('a fault in a call harms nobody else, and not the next call', () => {
  const server = (era: Era) => stdioServer(era);
  runCalls({ title: 'a server that in a call', timeoutMs: 10_000, server, faults: prompt });
  runCalls({ title: 'a server that within the time limit', timeoutMs: 2_000, server, faults: slow });
  runCalls({ title: 'a server that until the time limit', timeoutMs: 400, server, faults: late });
  runCalls({
    title: 'a server that before its answer',
    timeoutMs: 10_000,
    server,
    faults: () => [...notifications, ...streams],
  });
});
