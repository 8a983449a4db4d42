import type { ReadonlyHeaders } from '../check.ts';

/** Where there are more, they are sorted by name: usually there are few, of which fewer are asked for. */
const FEW_PARTS = 100;

/** Turns undici's flat list of raw names and values into headers. Bytes are read as Latin-1 (RFC 9110, section 5.5). */
export function readHeaders(raw: readonly (Buffer | string)[]): ReadonlyHeaders {
  const fields = raw.map((part, index) => (index % 2 === 0 ? latin1(part).toLowerCase() : latin1(part).trim()));
  // A name without a value is none.
  if (fields.length % 2 === 1) fields.pop();
  const sorted = fields.length > FEW_PARTS ? byName(fields) : null;
  const all = (name: string): readonly string[] => {
    const wanted = name.toLowerCase();
    return sorted === null ? valuesOf(wanted, fields) : (sorted.get(wanted) ?? []);
  };
  return {
    get(name) {
      const values = all(name);
      return values.length === 0 ? null : values.join(', ');
    },
    all,
    names: () => [...new Set(fields.filter((_, index) => index % 2 === 0))],
  };
}

function valuesOf(name: string, fields: readonly string[]): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index < fields.length; index += 2) {
    if (fields[index] === name) values.push(fields[index + 1] as string);
  }
  return values;
}

function byName(fields: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] as string;
    const known = values.get(name);
    if (known) known.push(fields[index + 1] as string);
    else values.set(name, [fields[index + 1] as string]);
  }
  return values;
}

function latin1(part: Buffer | string): string {
  return typeof part === 'string' ? part : part.toString('latin1');
}
