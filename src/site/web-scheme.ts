/** Recognises web addresses whose scheme is misspelled. Pure. */
import { editDistance } from '../parse/edit-distance.ts';

/** The scheme, what separates it from the host, and the rest. */
const WEB = /^(https?)(:[*.:;\s\\/]*|;?\/\/[\\/]*)(.*)$/is;
const RIGHT = /^:[\\/]{2}/;
const OTHER = /^([a-z]{2,7})(:[\\/]{1,3})(.*)$/is;
/** Registered, and one letter away. */
const REAL: ReadonlySet<string> = new Set(['shttp']);
const HOST = /^(?:localhost|\[[\da-f:]+\]|[^\s/?#:@.]+(?:\.[^\s/?#:@.]+)+)(?::\d+)?(?:[/?#]|$)/i;

// The address that a link with a misspelled scheme means: `https:*//host`, `https:/host`, `htps://host`,
// `https://https://host`. `null` where that is not clear; `undefined` where nothing is wrong with the scheme.
export function misspelledScheme(link: string): string | null | undefined {
  const [, scheme = '', separator = '', rest = ''] = WEB.exec(link) ?? [];
  if (scheme === '') return otherScheme(link);
  if (!RIGHT.test(separator)) return meant(scheme, rest);
  // The host is called `http` only where the scheme was written twice.
  const [, twice, host = ''] = /^(https?)(?::[*.:;\s\\/]*[\\/]|\/\/)(.*)$/is.exec(rest) ?? [];
  return twice === undefined ? undefined : meant(twice, host);
}

function otherScheme(link: string): string | null | undefined {
  const [, name = '', , rest = ''] = OTHER.exec(link) ?? [];
  const scheme = name.toLowerCase();
  if (scheme === '' || REAL.has(scheme)) return undefined;
  const right = ['https', 'http'].find((each) => editDistance(scheme, each, { most: 1, swaps: true }) <= 1);
  return right === undefined ? undefined : meant(right, rest);
}

function meant(scheme: string, rest: string): string | null {
  return HOST.test(rest) ? `${scheme.toLowerCase()}://${rest}` : null;
}
