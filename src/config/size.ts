/** Why a text is no size that can be used. */
export type SizeProblem = 'syntax' | 'zero' | 'too-large';

/** The largest size that is accepted: 256 MiB. A text of more than 512 MiB does not fit into a string. */
const MAX_SIZE_BYTES = 256 * 1024 ** 2;

const FACTORS: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1000,
  mb: 1000 ** 2,
  gb: 1000 ** 3,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
};

/**
 * Reads a size: `10MiB`, `512KiB`, `5MB` (decimal), `100B`, or a number of bytes as text. Letter case is free;
 * `10M` is refused, since it is decimal to one reader and binary to another.
 * Never throws; the result is a whole number of bytes, 1 to 256 MiB.
 */
export function parseSize(
  text: string,
): { readonly ok: true; readonly bytes: number } | { readonly ok: false; readonly problem: SizeProblem } {
  const match = /^(\d{1,15}|\d{1,15}\.\d{1,15}(?=\s*[a-z]))\s*([kmg]?i?b)?$/i.exec(text.trim());
  const factor = match === null ? undefined : FACTORS[match[2]?.toLowerCase() ?? 'b'];
  if (match === null || factor === undefined) return { ok: false, problem: 'syntax' };
  const bytes = Math.floor(Number(match[1]) * factor);
  if (bytes === 0) return { ok: false, problem: 'zero' };
  return bytes > MAX_SIZE_BYTES ? { ok: false, problem: 'too-large' } : { ok: true, bytes };
}
