import type { ReadonlyHeaders } from '../check.ts';

/** Turns undici's flat list of raw names and values into headers. Bytes are read as Latin-1 (RFC 9110, section 5.5). */
export function readHeaders(raw: readonly (Buffer | string)[]): ReadonlyHeaders {
  const values = new Map<string, string[]>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = latin1(raw[index]).toLowerCase();
    const value = latin1(raw[index + 1]).trim();
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  return {
    get: (name) => values.get(name.toLowerCase())?.join(', ') ?? null,
    all: (name) => values.get(name.toLowerCase()) ?? [],
    names: () => [...values.keys()],
  };
}

function latin1(part: Buffer | string | undefined): string {
  return typeof part === 'string' ? part : (part?.toString('latin1') ?? '');
}
