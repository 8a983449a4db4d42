import { hash } from 'node:crypto';

const hashes = new WeakMap<Uint8Array, string>();

/** The SHA-256 of a body that came, in hexadecimal digits. Several ask for it: it is made once. */
export function bodyHash(body: Uint8Array): string {
  const known = hashes.get(body);
  if (known !== undefined) return known;
  const made = hash('sha256', body);
  hashes.set(body, made);
  return made;
}
