/** Reckoning with dates of the Gregorian calendar, without time zones. */
import { serveHandshake } from './handshake.mjs';

const dayMs = 86_400_000;
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const readOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
const dateOf = (description) => ({ type: 'string', format: 'date', description: `${description}, as YYYY-MM-DD.` });

/** Midnight of that day in UTC; 31 February is refused, not moved. */
function parseDate(text) {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time) || toText(time) !== text) throw new Error(`"${text}" is not a date of the form YYYY-MM-DD.`);
  return time;
}

function toText(time) {
  return new Date(time).toISOString().slice(0, 10);
}

function toWeekday(time) {
  return weekdays[new Date(time).getUTCDay()];
}

serveHandshake({
  name: 'calendar',
  version: '1.0.0',
  instructions: 'All dates are written YYYY-MM-DD.',
  tools: [
    {
      name: 'weekday',
      title: 'Day of the week',
      description: 'Says which day of the week a date is.',
      inputSchema: {
        type: 'object',
        properties: { date: dateOf('The date') },
        required: ['date'],
        additionalProperties: false,
      },
      annotations: readOnly,
      run: ({ date }) => `${date} is a ${toWeekday(parseDate(date))}.`,
    },
    {
      name: 'days_between',
      title: 'Days between two dates',
      description: 'Counts the days from one date to another; negative when the second is earlier.',
      inputSchema: {
        type: 'object',
        properties: { from: dateOf('The date to start at'), to: dateOf('The date to end at') },
        required: ['from', 'to'],
        additionalProperties: false,
      },
      annotations: readOnly,
      run: ({ from, to }) => `${(parseDate(to) - parseDate(from)) / dayMs} days from ${from} to ${to}`,
    },
    {
      name: 'add_days',
      title: 'Add days to a date',
      description: 'Gives the date a number of days after another one, with its day of the week.',
      inputSchema: {
        type: 'object',
        properties: {
          date: dateOf('The date to start at'),
          days: { type: 'integer', description: 'How many days later; negative for earlier.' },
        },
        required: ['date', 'days'],
        additionalProperties: false,
      },
      annotations: readOnly,
      run({ date, days }) {
        const time = parseDate(date) + days * dayMs;
        const inRange = time >= parseDate('0001-01-01') && time <= parseDate('9999-12-31');
        if (!inRange) throw new Error('That is outside the years 1 to 9999.');
        return `${toText(time)} (${toWeekday(time)})`;
      },
    },
  ],
});
