/** Longest address that is resolved or requested, in UTF-16 code units: servers refuse longer ones. */
export const LONGEST_ADDRESS = 8 * 1024;

/** The absolute URL of an address that a file names; `null` for what is none, and for a longer one than is requested. */
export function resolveAddress(written: string, base: URL | string): URL | null {
  if (written.length > LONGEST_ADDRESS) return null;
  const url = URL.parse(written, String(base));
  return url !== null && url.href.length <= LONGEST_ADDRESS ? url : null;
}
