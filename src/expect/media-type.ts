import type { Reply } from '../check.ts';

const LONGEST = 500;
/** HTTP tokens (WHATWG MIME Sniffing, "parse a MIME type"). Parameters are ignored. */
const ESSENCE = /^[\t\n\r ]*([!#$%&'*+\-.^_`|~\w]+\/[!#$%&'*+\-.^_`|~\w]+)[\t\n\r ]*(?:;|$)/;

/** The media type's essence in lower case, e.g. `text/html`, without parameters; `null` if missing (WHATWG MIME Sniffing). */
export function mediaTypeOf({ headers }: Pick<Reply, 'headers'>): string | null {
  const values = headers.all('content-type');
  for (let at = values.length - 1; at >= 0; at--) {
    const essence = lastOf(values[at] as string);
    if (essence !== null) return essence;
  }
  return null;
}

function lastOf(header: string): string | null {
  if (!header.includes(',')) return essenceOf(header);
  const essences = header.split(',').map(essenceOf);
  return essences.findLast((essence) => essence !== null) ?? null;
}

export function essenceOf(value: string): string | null {
  const essence = value.length > LONGEST ? undefined : ESSENCE.exec(value)?.[1]?.toLowerCase();
  return essence === undefined || essence === '*/*' ? null : essence;
}

/** The names of JavaScript (WHATWG MIME Sniffing, section 4.6). */
const NAMES: ReadonlySet<string> = new Set([
  'application/ecmascript',
  'application/javascript',
  'application/x-ecmascript',
  'application/x-javascript',
  'text/ecmascript',
  'text/javascript',
  'text/javascript1.0',
  'text/javascript1.1',
  'text/javascript1.2',
  'text/javascript1.3',
  'text/javascript1.4',
  'text/javascript1.5',
  'text/jscript',
  'text/livescript',
  'text/x-ecmascript',
  'text/x-javascript',
]);

export function isJavaScriptType(mediaType: string | null): boolean {
  return mediaType !== null && NAMES.has(mediaType);
}
