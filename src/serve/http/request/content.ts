/** What a request says about its body and about the answers it takes. */
import { memoizeHeader } from './memoize-header.ts';

export const isJson: (contentType: string | undefined) => boolean = memoizeHeader((contentType) => {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='));
  return type.trim() === 'application/json' && (charset === undefined || /^charset="?utf-8"?$/.test(charset));
});

/** Whether a body is what its bytes are; nothing is unpacked here. */
export function isPlain(contentEncoding: string | undefined): boolean {
  return contentEncoding === undefined || contentEncoding.trim().toLowerCase() === 'identity';
}

export const jsonType = 'application/json';
export const eventsType = 'text/event-stream';

/** Whether an `Accept` header allows a plain answer as well as a stream. One that is missing allows nothing. */
export const acceptsBoth: (accept: string | undefined) => boolean = memoizeHeader((accept) =>
  [jsonType, eventsType].every((type) => accepts(accept, type)),
);

export const acceptsEvents: (accept: string | undefined) => boolean = memoizeHeader((accept) =>
  accepts(accept, eventsType),
);

function accepts(accept: string | undefined, type: string): boolean {
  return (accept ?? '')
    .toLowerCase()
    .split(',')
    .flatMap((range) => {
      const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
      return parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) ? [] : [name];
    })
    .some((range) => range === type || range === '*/*' || range === `${type.split('/')[0]}/*`);
}
