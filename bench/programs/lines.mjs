/** Bytes in, whole lines out, as buffers; and lines of one tick out in one write. */

const newline = 0x0a;

export function readLines(stream, onLine) {
  let parts = [];
  stream.on('data', (chunk) => {
    let start = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, start)) {
      parts.push(chunk.subarray(start, at));
      const line = parts.length === 1 ? parts[0] : Buffer.concat(parts);
      parts = [];
      start = at + 1;
      onLine(line);
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  });
}

export function createLineWriter(stream) {
  let held = '';
  const flush = () => {
    const text = held;
    held = '';
    stream.write(text);
  };
  return (line) => {
    if (held === '') queueMicrotask(flush);
    held += `${line}\n`;
  };
}
