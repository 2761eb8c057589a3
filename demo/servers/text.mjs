/** Small work on plain text. */
import { serveStateless } from './stateless.mjs';

const readOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

serveStateless({
  name: 'text',
  version: '1.0.0',
  instructions: 'Nothing is stored; every answer depends on the arguments only.',
  tools: [
    {
      name: 'word_count',
      title: 'Count words',
      description: 'Counts the words, characters and lines of a text.',
      inputSchema: {
        type: 'object',
        properties: { text: { type: 'string', description: 'The text to count.' } },
        required: ['text'],
        additionalProperties: false,
      },
      annotations: readOnly,
      run({ text }) {
        const words = text.split(/\s+/u).filter((word) => word !== '').length;
        const lines = text === '' ? 0 : text.split('\n').length;
        return `${words} words, ${[...text].length} characters, ${lines} lines`;
      },
    },
    {
      name: 'slugify',
      title: 'Make a slug',
      description:
        'Turns a title into a name for a file or an address: lower case, no accents, words joined by hyphens.',
      inputSchema: {
        type: 'object',
        properties: {
          title: { type: 'string', minLength: 1, description: 'The title, for example "Crème brûlée: a guide".' },
          max_length: { type: 'integer', minimum: 1, description: 'Cut after so many characters; 80 when left out.' },
        },
        required: ['title'],
        additionalProperties: false,
      },
      annotations: readOnly,
      run({ title, max_length: most = 80 }) {
        const words = title
          .normalize('NFKD')
          .replace(/\p{Mark}/gu, '')
          .toLowerCase()
          .match(/[\p{Letter}\p{Number}]+/gu);
        if (words === null) throw new Error('The title has no letter and no digit.');
        const cut = [...words.join('-')].slice(0, most).join('');
        return cut.endsWith('-') ? cut.slice(0, -1) : cut;
      },
    },
    {
      name: 'diff_lines',
      title: 'Compare two texts',
      description: 'Compares two texts line by line: "-" marks lines only in the first, "+" lines only in the second.',
      inputSchema: {
        type: 'object',
        properties: {
          before: { type: 'string', description: 'The first text.' },
          after: { type: 'string', description: 'The second text.' },
        },
        required: ['before', 'after'],
        additionalProperties: false,
      },
      annotations: readOnly,
      run: ({ before, after }) => diffLines(before.split('\n'), after.split('\n')),
    },
  ],
});

/** By the longest common subsequence of lines. */
function diffLines(before, after) {
  if (before.length * after.length > 4_000_000)
    throw new Error('The texts are too long; compare up to about 2000 lines.');
  const common = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      common[i][j] = before[i] === after[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const lines = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push(`  ${before[i]}`);
      i++;
      j++;
    } else if (j >= after.length || (i < before.length && common[i + 1][j] >= common[i][j + 1])) {
      lines.push(`- ${before[i]}`);
      i++;
    } else {
      lines.push(`+ ${after[j]}`);
      j++;
    }
  }
  return lines.every((line) => line.startsWith(' ')) ? 'The texts are equal.' : lines.join('\n');
}
