const MOST_URLS = 1000;
const LONGEST_URL = 2000;
/** Brackets only around an IPv6 host. */
const URL_IN_TEXT = /https?:\/\/(?:\[[\da-f:.]+\])?[^\s<>"'`\\^{}|[\]]+/gi;

/** Without the punctuation that ends a sentence, and a closing parenthesis that was not opened in the URL. Linear. */
export function bareUrls(text: string, most = MOST_URLS): string[] {
  const urls: string[] = [];
  for (const [found] of text.matchAll(URL_IN_TEXT)) {
    const url = withoutTail(found.slice(0, LONGEST_URL));
    if (/^https?:\/\/[^/?#.:]/i.test(url)) urls.push(url);
    if (urls.length === most) break;
  }
  return urls;
}

/** What is left open in an address: `{id}`, `${id}`, `file.<ext>`, `page{.md}`; no attributes (`{:target=_blank}`, `{.wide}`) and no MDX (`{' '}`). */
const OPEN_PART = /^[.:]?(?:\{(?![:#'"]|\.(?!(?:md|txt|html)\}))|<[a-z])/i;
/** `pages/[id]`, which is no link to another page. */
const OPEN_NAME = /^\/\[[a-z][\w.-]*\](?![([:])/i;
/** Elements whose tags may occur in a line of text, directly after a URL. */
const TAG =
  /^[.:]?<(?:a|abbr|b|big|br|button|center|cite|code|del|dfn|div|em|font|hr|i|img|input|ins|kbd|label|li|mark|nobr|ol|p|picture|pre|q|s|samp|small|span|strike|strong|sub|summary|sup|svg|table|td|th|tr|tt|u|ul|var|video|wbr)(?:[\s/>]|$)/i;

/** Whether a URL contains or precedes a placeholder: it is a pattern, and not a link as written. */
export function isLeftOpen(text: string, start: number, end: number): boolean {
  if (text.slice(start, end).includes('*')) return true;
  const rest = text.slice(end, end + 50);
  return (OPEN_PART.test(rest) && !TAG.test(rest)) || OPEN_NAME.test(text.slice(end - 1, end + 50));
}

function withoutTail(url: string): string {
  let unopened = url.split(')').length - url.split('(').length;
  let end = url.length;
  for (; end > 0; end--) {
    const last = url.charAt(end - 1);
    if (last === ')' && unopened > 0) unopened--;
    else if (!'.,;:!?*_~'.includes(last)) break;
  }
  return url.slice(0, end);
}

/** Percent-decodes what is UTF-8 and leaves the rest, so that a lone percent sign stays. The result is well-formed. */
export function decoded(text: string): string {
  if (!text.includes('%')) return text.toWellFormed();
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (sequence) => utf8(sequence) ?? sequence).toWellFormed();
}

/** `null`: not UTF-8. */
export function utf8(sequence: string): string | null {
  try {
    return decodeURIComponent(sequence);
  } catch {
    return null;
  }
}

/** Longest address that is resolved or requested, in UTF-16 code units: servers refuse longer ones. */
export const LONGEST_ADDRESS = 8 * 1024;

/** `null`: invalid, or longer than what is requested. */
export function resolveAddress(written: string, base: URL | string): URL | null {
  if (written.length > LONGEST_ADDRESS) return null;
  const url = URL.parse(written, String(base));
  return url !== null && url.href.length <= LONGEST_ADDRESS ? url : null;
}

/** Regular expressions give up on much longer values. In UTF-16 code units. */
const LONGEST_SRCSET = 1024 * 1024;
const MOST_SOURCES = 2_000;

/** HTML standard, 4.8.4.2.2. The first 2,000 of the first 1,048,576 code units, none of them cut off. Linear. */
export function srcsetUrls(value: string): string[] {
  const srcset = value.slice(0, LONGEST_SRCSET);
  const urls: string[] = [];
  const url = /[\s,]*([^\s,]\S*)/y;
  const descriptors = /(?:[^,(]|\([^)]*(?:\)|$))*/y;
  for (let match = url.exec(srcset); match !== null && urls.length < MOST_SOURCES; match = url.exec(srcset)) {
    if (url.lastIndex === LONGEST_SRCSET && value.length > LONGEST_SRCSET) break;
    const [, found = ''] = match;
    urls.push(found.replace(/(?<!,),+$/, ''));
    if (found.endsWith(',')) continue;
    descriptors.lastIndex = url.lastIndex;
    url.lastIndex += descriptors.exec(srcset)?.[0].length ?? 0;
  }
  return urls;
}
