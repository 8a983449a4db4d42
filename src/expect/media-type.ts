import type { Reply } from '../check.ts';

/** Longer ones are no media types. In characters. */
const LONGEST = 500;
/** Type and subtype, which are HTTP tokens (WHATWG MIME Sniffing, "parse a MIME type"). Parameters cannot spoil them. */
const ESSENCE = /^[\t\n\r ]*([!#$%&'*+\-.^_`|~\w]+\/[!#$%&'*+\-.^_`|~\w]+)[\t\n\r ]*(?:;|$)/;

/** The media type's essence in lower case, e.g. `text/html`, without parameters; `null` when there is none (WHATWG MIME Sniffing). */
export function mediaTypeOf({ headers }: Pick<Reply, 'headers'>): string | null {
  const values = headers.all('content-type').flatMap((value) => value.split(','));
  for (const value of values.toReversed()) {
    const essence = value.length > LONGEST ? null : essenceOf(value);
    if (essence !== null && essence !== '*/*') return essence;
  }
  return null;
}

function essenceOf(value: string): string | null {
  return ESSENCE.exec(value)?.[1]?.toLowerCase() ?? null;
}
