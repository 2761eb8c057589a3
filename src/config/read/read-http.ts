/** Reads `http` of the file: how the Workbench listens when it serves HTTP. */
import { defined } from '../../base/json/defined.ts';
import type { Member } from '../document/json-node.ts';
import type { HttpSettings } from '../model/config.ts';
import { httpShape } from '../model/schema-http.ts';
import { type Fields, isObjectMember, openObject } from './read.ts';
import type { Reading } from './read-text.ts';

export function readHttp(member: Member | undefined, reading: Reading): HttpSettings {
  if (member === undefined) return defaults;
  if (!isObjectMember(member, 'http', reading)) return defaults;
  const fields = openObject(httpShape, member.node, member.path, reading, { what: '"http"' });
  const port = fields.read('port');
  const publicUrl = readPublicUrl(fields, reading);
  return {
    ...defined({ port }),
    host: fields.read('host'),
    allowedHosts: fields.read('allowedHosts') ?? [],
    allowedOrigins: readOrigins(fields, reading),
    ...defined({ publicUrl }),
    sse: fields.read('sse'),
    maxBodyBytes: fields.read('maxBodyBytes'),
  };
}

const { host, sse, maxBodyBytes } = httpShape.members;
const defaults: HttpSettings = {
  host: host.default,
  allowedHosts: [],
  allowedOrigins: [],
  sse: sse.default,
  maxBodyBytes: maxBodyBytes.default,
};

function readPublicUrl(fields: Fields<(typeof httpShape)['members']>, { report }: Reading): string | undefined {
  const text = fields.read('publicUrl');
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}${url.pathname}`;
  if (!isPlain)
    report.error('WB1405', fields.at('publicUrl'), 'http.publicUrl must be an address such as "https://bench.example"');
  return text;
}

/** Origins are compared as text, so one with a path or a slash would never match. */
function readOrigins(fields: Fields<(typeof httpShape)['members']>, { report }: Reading): readonly string[] {
  const place = fields.at('allowedOrigins');
  const origins = fields.read('allowedOrigins') ?? [];
  if (origins.some((origin) => !/^[a-z][a-z0-9+.-]*:\/\/[^/\s]+$/i.test(origin)))
    report.error('WB1405', place, 'http.allowedOrigins: an origin is scheme and host, such as "https://app.example"');
  return origins;
}
