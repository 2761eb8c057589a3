/** The servers of the matrix: what each offers, and a call of each kind whose answer is known. */
import { join } from 'node:path';
import { fixture, reference, type ServerStart } from '../../support/servers.ts';

export interface ToolCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

export interface Subject {
  readonly start: ServerStart;
  /** Some of its tools, in the order of its list. */
  readonly tools: readonly string[];
  readonly call: ToolCall & { readonly text: string };
  /** Takes a while and tells its progress; not every server has such a tool. */
  readonly slow?: ToolCall & { readonly text: string };
  /** The same, for so long that it has to be cancelled. */
  readonly endless?: ToolCall;
  readonly failing: ToolCall & { readonly text: string };
}

export const serverNames = ['everything', 'filesystem', 'memory', 'modern'] as const;
export type ServerName = (typeof serverNames)[number];

/** `dir` holds a file `hello.txt` with the text `hello from a file`. */
export function buildSubjects(dir: string): Record<ServerName, Subject> {
  return {
    everything: {
      start: reference('everything', 'stdio'),
      tools: ['echo', 'get-structured-content', 'get-sum', 'trigger-long-running-operation'],
      call: { name: 'get-sum', args: { a: 2, b: 3 }, text: 'The sum of 2 and 3 is 5.' },
      slow: {
        name: 'trigger-long-running-operation',
        args: { duration: 0.3, steps: 3 },
        text: 'Long running operation completed. Duration: 0.3 seconds, Steps: 3.',
      },
      endless: { name: 'trigger-long-running-operation', args: { duration: 60, steps: 600 } },
      failing: { name: 'get-sum', args: { a: 'two', b: 3 }, text: 'Input validation error' },
    },
    filesystem: {
      start: reference('filesystem', dir),
      tools: ['read_text_file', 'write_file', 'list_directory', 'list_allowed_directories'],
      call: { name: 'read_text_file', args: { path: join(dir, 'hello.txt') }, text: 'hello from a file' },
      failing: { name: 'read_text_file', args: { path: join(dir, '../..', 'elsewhere') }, text: 'Access denied' },
    },
    memory: {
      start: { ...reference('memory'), env: { MEMORY_FILE_PATH: join(dir, 'memory.jsonl') } },
      tools: ['create_entities', 'add_observations', 'read_graph', 'search_nodes'],
      call: { name: 'read_graph', args: {}, text: '"entities": []' },
      failing: {
        name: 'add_observations',
        args: { observations: [{ entityName: 'nobody', contents: ['x'] }] },
        text: 'Entity with name nobody not found',
      },
    },
    modern: {
      start: fixture('sdk-modern'),
      tools: ['echo', 'add', 'slow', 'fail'],
      call: { name: 'add', args: { a: 2, b: 3 }, text: '5' },
      slow: { name: 'slow', args: { ms: 400, steps: 3 }, text: 'done after 3 steps' },
      endless: { name: 'slow', args: { ms: 60_000, steps: 600 } },
      failing: { name: 'fail', args: {}, text: 'it failed' },
    },
  };
}
