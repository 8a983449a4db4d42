const MOST = 1000;
const LONGEST = 2000;
/** A URL as it stands in running text; brackets only around an IPv6 host. */
const URL_IN_TEXT = /https?:\/\/(?:\[[\da-f:.]+\])?[^\s<>"'`\\^{}|[\]]+/gi;

/**
 * The http and https URLs in plain text, in order, at most a thousand. Punctuation that ends the sentence, and a closing
 * parenthesis that was not opened in the URL, are left out. Linear.
 */
export function bareUrls(text: string): string[] {
  const urls: string[] = [];
  for (const { url } of bareUrlsIn(text)) {
    urls.push(url);
    if (urls.length === MOST) break;
  }
  return urls;
}

/** The same, all of them, each with the offset at which it starts. */
export function* bareUrlsIn(text: string): Generator<{ readonly url: string; readonly offset: number }> {
  for (const { 0: found, index } of text.matchAll(URL_IN_TEXT)) {
    const url = withoutTail(found.slice(0, LONGEST));
    // At least one character of a host.
    if (/^https?:\/\/[^/?#.:]/i.test(url)) yield { url, offset: index };
  }
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
