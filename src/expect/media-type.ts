import { MIMEType } from 'whatwg-mimetype';
import type { Reply } from '../check.ts';

/** Longer ones are no media types, and the parser takes quadratic time for some. In characters. */
const LONGEST = 500;

/** The media type's essence in lower case, e.g. `text/html`, without parameters; `null` when there is none that parses (WHATWG MIME Sniffing). */
export function mediaTypeOf(reply: Pick<Reply, 'headers'>): string | null {
  const last = reply.headers
    .all('content-type')
    .flatMap((value) => value.split(','))
    .filter((value) => value.length <= LONGEST)
    .findLast((value) => ![undefined, '*/*'].includes(MIMEType.parse(value)?.essence));
  return last === undefined ? null : (MIMEType.parse(last)?.essence ?? null);
}
