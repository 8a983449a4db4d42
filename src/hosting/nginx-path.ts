/** A request target as nginx reads it. */
export interface NginxPath {
  /** Decoded; begins with a slash; no empty segments, `.` or `..` left. */
  readonly path: string;
  /** With its question mark; empty where there is none or nothing behind it. */
  readonly query: string;
}

/**
 * Reads a request target as nginx does: percent-encoding is resolved first (an encoded slash or dot counts as one), then
 * doubled slashes, `.` and `..`. `null` for what nginx answers with 400: encoding that is none, NUL, a way above the root.
 */
export function nginxPath(target: string): NginxPath | null {
  const [, raw = '', query = ''] = /^([^?#]*)(\?[^#]*)?/.exec(target.replace(/^https?:\/\/[^/?#]*/i, '')) ?? [];
  if (!raw.startsWith('/') || /%(?![0-9a-f]{2})|%00/i.test(raw)) return null;
  const path = resolved(decoded(raw).split('/').slice(1));
  return path === null ? null : { path, query: query === '?' ? '' : query };
}

const STAYING = new Set(['', '.']);

/** Without empty segments and dot segments; `null` for a way above the root. */
function resolved(parts: readonly string[]): string | null {
  const segments: string[] = [];
  for (const part of parts) {
    if (part === '..' && segments.pop() === undefined) return null;
    if (part !== '..' && !STAYING.has(part)) segments.push(part);
  }
  const last = parts.at(-1) ?? '';
  const isFolder = segments.length > 0 && (last === '..' || STAYING.has(last));
  return `/${segments.join('/')}${isFolder ? '/' : ''}`;
}

/** Bytes that are no UTF-8 become replacement characters, which no file name has. */
function decoded(text: string): string {
  const bytes = Buffer.from(
    text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  );
  return bytes.toString('utf8');
}
