/** Messages that are small to send and could be much to read, each as the bytes of one body or line. */

export interface Shape {
  readonly name: string;
  readonly bytes: Buffer;
  /** How many are sent at once, each on a connection of its own where there can be several. */
  readonly times: number;
  /** Sent without its end, and held. */
  readonly half?: true;
  /** What comes back: a refusal, or an answer to the call. */
  readonly end: 'refused' | 'answered' | 'held';
}

const mib = 1024 * 1024;
const atOnce = 12;

/** `echo` gives back what it is given, `swallow` does not. */
export function makeShapes({ echo, swallow }: { readonly echo: string; readonly swallow: string }): Shape[] {
  const call = (args: string, tool = echo) =>
    Buffer.from(
      `{"jsonrpc":"2.0","id":"heavy","method":"tools/call","params":{"name":"${tool}","arguments":${args}}}`,
      'latin1',
    );
  const keys = (count: number, tool = echo) => call(`{${repeat(count, (at) => `"k${at}":1`)}}`, tool);
  const text = call(`{"text":"${'x'.repeat(7 * mib)}"}`, swallow);
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const shape = (name: string, bytes: Buffer, end: Shape['end'], times = 1): Shape => ({ name, bytes, end, times });
  return [
    shape('a batch of 2,000,000 scalars', Buffer.from(`[${repeat(2_000_000, () => '1')}]`), 'refused'),
    shape('a batch of 100,000 pings', Buffer.from(`[${repeat(100_000, () => ping)}]`), 'refused'),
    shape('1,500,000 arguments', keys(1_500_000), 'refused'),
    shape('600,000 arguments', keys(600_000), 'refused'),
    shape('as many arguments as are allowed', keys(24_900), 'answered'),
    shape('5,000,000 arrays, one in the other', call('['.repeat(5_000_000)), 'refused'),
    shape('one text of 7 MiB', text, 'answered'),
    shape('one text of 7 MiB, twelve at once', text, 'answered', atOnce),
    shape('as many arguments as are allowed, twelve at once', keys(24_900, swallow), 'answered', atOnce),
    shape('600,000 arguments, twelve at once', keys(600_000), 'refused', atOnce),
    { ...shape('bodies of which the end does not come', text.subarray(0, -1), 'held', atOnce), half: true },
  ];
}

function repeat(count: number, make: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => make(at)).join(',');
}
