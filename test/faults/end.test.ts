// @module-tag large
import { describe } from 'vitest';
import { allFail, allWork } from './fault.ts';
import { runEach } from './table.ts';

describe('a fault at the end leaves nothing behind', () => {
  runEach({
    title: 'a server that',
    eras: ['legacy'],
    faults: () =>
      allWork([
        'ignores the end of its input',
        'ignores SIGTERM',
        'ignores every signal that can be ignored',
        'answers SIGTERM with a child',
        'has a child that holds its pipes',
        'has a child with pipes of its own',
        'has ten children',
        'has a grandchild whose parent is gone',
        'has a child that ignores SIGTERM',
        'has children without end',
        'talks until it is killed',
        'writes 50 MB when its input ends',
        'spins when its input ends',
        'exits with a failure at the end',
        'kills itself at the end',
        'freezes at the end',
      ]),
  });
  runEach({
    title: 'a server that in a call',
    tool: 'strike',
    faults: () =>
      allFail(/gave no answer within 0\.4 s/, ['freezes during a call', 'never reads again'], {
        settings: { timeoutMs: 400 },
      }),
  });
});
