import type { Reply } from '../check.ts';

const LONGEST = 500;
/** HTTP tokens (WHATWG MIME Sniffing, "parse a MIME type"). Parameters are ignored. */
const ESSENCE = /^[\t\n\r ]*([!#$%&'*+\-.^_`|~\w]+\/[!#$%&'*+\-.^_`|~\w]+)[\t\n\r ]*(?:;|$)/;

/** The media type's essence in lower case, e.g. `text/html`, without parameters; `null` if missing (WHATWG MIME Sniffing). */
export function mediaTypeOf({ headers }: Pick<Reply, 'headers'>): string | null {
  const essences = headers.all('content-type').flatMap((value) => value.split(',').map(essenceOf));
  return essences.findLast((essence) => essence !== null) ?? null;
}

export function essenceOf(value: string): string | null {
  const essence = value.length > LONGEST ? undefined : ESSENCE.exec(value)?.[1]?.toLowerCase();
  return essence === undefined || essence === '*/*' ? null : essence;
}

/** WHATWG MIME Sniffing, section 4.6. */
const JAVASCRIPT =
  /^(?:(?:application|text)\/(?:x-)?(?:ecmascript|javascript)|text\/(?:javascript1\.[0-5]|jscript|livescript))$/;

export function isJavaScriptType(mediaType: string | null): boolean {
  return mediaType !== null && JAVASCRIPT.test(mediaType);
}
