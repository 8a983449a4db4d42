const MOST = 1000;
const LONGEST = 2000;
/** A URL as it stands in running text; brackets only around an IPv6 host. */
const URL_IN_TEXT = /https?:\/\/(?:\[[\da-f:.]+\])?[^\s<>"'`\\^{}|[\]]+/gi;

/**
 * The first http and https URLs in plain text, in order. Punctuation that ends the sentence, and a closing parenthesis
 * that was not opened in the URL, are left out. Linear.
 */
export function bareUrls(text: string, most = MOST): string[] {
  const urls: string[] = [];
  for (const [found] of text.matchAll(URL_IN_TEXT)) {
    const url = withoutTail(found.slice(0, LONGEST));
    // At least one character of a host.
    if (/^https?:\/\/[^/?#.:]/i.test(url)) urls.push(url);
    if (urls.length === most) break;
  }
  return urls;
}

/** What is left open in an address: `{id}`, `${id}`, `file.<ext>`; no attributes (`{:target=_blank}`) and no MDX (`{' '}`). */
const OPEN_PART = /^[.:]?(?:\{(?![:.#'"])|<[a-z])/i;
/** Elements whose tags may stand in a line of text, directly after a URL. */
const TAG =
  /^[.:]?<(?:a|abbr|b|big|br|button|center|cite|code|del|dfn|div|em|font|hr|i|img|input|ins|kbd|label|li|mark|nobr|ol|p|picture|pre|q|s|samp|small|span|strike|strong|sub|summary|sup|svg|table|td|th|tr|tt|u|ul|var|video|wbr)(?:[\s/>]|$)/i;

/**
 * Whether a URL that begins and ends at these offsets has a part that is left open, or goes on with one: it is a pattern,
 * and no link as it stands.
 */
export function isLeftOpen(text: string, start: number, end: number): boolean {
  if (text.slice(start, end).includes('*')) return true;
  const rest = text.slice(end, end + 20);
  return OPEN_PART.test(rest) && !TAG.test(rest);
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
