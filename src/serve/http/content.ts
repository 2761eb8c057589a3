/** What a request says about its body and about the answers it takes. */

export function isJson(contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='));
  return type.trim() === 'application/json' && (charset === undefined || /^charset="?utf-8"?$/.test(charset));
}

/** Whether an `Accept` header allows all of these types. One that is missing allows nothing. */
export function accepts(accept: string | undefined, types: readonly string[]): boolean {
  const allowed = (accept ?? '')
    .toLowerCase()
    .split(',')
    .flatMap((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
      return parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) ? [] : [type];
    });
  return types.every((type) =>
    allowed.some((range) => range === type || range === '*/*' || range === `${type.split('/')[0]}/*`),
  );
}

export const jsonType = 'application/json';
export const eventsType = 'text/event-stream';
