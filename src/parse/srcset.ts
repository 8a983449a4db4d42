/** Longest part of a value that is read; regular expressions give up on much longer ones. In UTF-16 code units. */
const LONGEST = 1024 * 1024;
const MOST = 2_000;

/**
 * The URLs of a `srcset` (HTML standard, 4.8.4.2.2): a URL may hold commas, but neither begin nor end with one. The first
 * 2,000 of the first 1,048,576 code units, none of them cut off. Linear. Pure.
 */
export function srcsetUrls(value: string): string[] {
  const srcset = value.slice(0, LONGEST);
  const urls: string[] = [];
  const url = /[\s,]*([^\s,]\S*)/y;
  const descriptors = /(?:[^,(]|\([^)]*(?:\)|$))*/y;
  for (let match = url.exec(srcset); match !== null && urls.length < MOST; match = url.exec(srcset)) {
    if (url.lastIndex === LONGEST && value.length > LONGEST) break;
    const [, found = ''] = match;
    urls.push(found.replace(/(?<!,),+$/, ''));
    if (found.endsWith(',')) continue;
    descriptors.lastIndex = url.lastIndex;
    url.lastIndex += descriptors.exec(srcset)?.[0].length ?? 0;
  }
  return urls;
}
