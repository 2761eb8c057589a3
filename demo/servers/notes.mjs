/** Notes that live as long as this process. */
import { serveHandshake } from './handshake.mjs';

const notes = [];

const show = (found) => found.map(({ id, text }) => `${id}. ${text}`).join('\n');

serveHandshake({
  name: 'notes',
  version: '1.0.0',
  instructions: 'Notes are kept in memory and are gone when the server stops.',
  tools: [
    {
      name: 'add_note',
      title: 'Add a note',
      description: 'Keeps a note and answers with its number. Notes last until the server stops.',
      inputSchema: {
        type: 'object',
        properties: {
          text: { type: 'string', minLength: 1, description: 'What to remember; any length, plain text.' },
        },
        required: ['text'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
      run({ text }) {
        if (text.trim() === '') throw new Error('A note cannot be empty.');
        notes.push({ id: notes.length + 1, text });
        return `Kept as note ${notes.length}.`;
      },
    },
    {
      name: 'list_notes',
      title: 'List notes',
      description: 'Lists all notes with their numbers, oldest first.',
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      annotations: { readOnlyHint: true, openWorldHint: false },
      run: () => (notes.length === 0 ? 'There are no notes yet.' : show(notes)),
    },
    {
      name: 'search_notes',
      title: 'Search notes',
      description: 'Finds the notes that contain a piece of text, in upper or lower case.',
      inputSchema: {
        type: 'object',
        properties: { query: { type: 'string', minLength: 1, description: 'The text to look for.' } },
        required: ['query'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
      run({ query }) {
        const found = notes.filter(({ text }) => text.toLowerCase().includes(query.toLowerCase()));
        return found.length === 0 ? `No note contains "${query}".` : show(found);
      },
    },
  ],
});
