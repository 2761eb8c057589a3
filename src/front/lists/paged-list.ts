/** A list of definitions of one kind as clients get it: cut into pages, each serialised once. */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../base/json/json.ts';
import { RawJson } from '../../base/json/raw-json.ts';
import type { Kind } from '../../catalog/kind.ts';

export interface PagedList {
  /** Equal for equal lists, in this run and the next. Computed on first use. */
  readonly version: string;
  /** The page at a cursor, or undefined for a cursor of another list. */
  findPage(cursor: string | undefined): RawJson | undefined;
}

export function buildPagedList(kind: Kind, definitions: readonly JsonObject[], pageSize: number): PagedList {
  const whole = RawJson.of({ [kind]: [...definitions] });
  let version: string | undefined;
  const getVersion = () => {
    version ??= createHash('sha256').update(whole.text).digest('hex').slice(0, 16);
    return version;
  };
  const pages = new Map<string | undefined, RawJson>();
  if (definitions.length <= pageSize) pages.set(undefined, whole);
  else {
    for (let start = 0; start < definitions.length; start += pageSize) {
      const end = start + pageSize;
      const page: JsonObject = { [kind]: definitions.slice(start, end) };
      if (end < definitions.length) page.nextCursor = toCursor(getVersion(), end);
      pages.set(start === 0 ? undefined : toCursor(getVersion(), start), RawJson.of(page));
    }
  }
  return {
    get version() {
      return getVersion();
    },
    findPage: (cursor) => pages.get(cursor),
  };
}

/** A cursor names the list it belongs to, so that it is refused, not misread, once the list has changed. */
function toCursor(version: string, start: number): string {
  return Buffer.from(`${version}:${start}`).toString('base64url');
}
