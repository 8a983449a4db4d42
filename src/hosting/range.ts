import type { FileEntry, HostRequest, HostResponse } from './exchange.ts';

type Headers = readonly (readonly [name: string, value: string])[];

/**
 * A whole file, or the part of it that `Range` asks for (RFC 9110, section 14). A range of several parts is answered with
 * the whole. `refuse` makes the answer for a range beyond the end.
 */
export function ranged(
  request: HostRequest,
  { bytes, modified }: FileEntry,
  tag: string,
  headers: Headers,
  refuse: (status: 416) => HostResponse,
): HostResponse {
  const isHead = request.method === 'HEAD';
  const condition = request.headers['if-range'];
  const holds = condition === undefined || condition === tag || condition === modified.toUTCString();
  const range = holds ? rangeOf(request.headers['range'] ?? '', bytes.length) : null;
  if (range === 'beyond') {
    const refused = refuse(416);
    return { ...refused, headers: [...refused.headers, ['Content-Range', `bytes */${bytes.length}`]] };
  }
  const [first, last] = range ?? [0, bytes.length - 1];
  const part = bytes.subarray(first, last + 1);
  const where: Headers =
    range === null ? [['Accept-Ranges', 'bytes']] : [['Content-Range', `bytes ${first}-${last}/${bytes.length}`]];
  return {
    status: range === null ? 200 : 206,
    headers: [...headers, ['Content-Length', String(part.length)], ...where],
    body: isHead ? new Uint8Array() : part,
  };
}

/** The first and last byte that are asked for; `null`: all, `beyond`: none that there is. */
function rangeOf(value: string, length: number): readonly [first: number, last: number] | 'beyond' | null {
  const [, from = '', to = ''] = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/.exec(value) ?? [];
  if (from === '' && to === '') return null;
  if (from === '') {
    const first = Math.max(0, length - Number(to));
    return first < length ? [first, length - 1] : 'beyond';
  }
  const [first, last] = [Number(from), to === '' ? length - 1 : Math.min(Number(to), length - 1)];
  if (first >= length) return 'beyond';
  return last < first ? 'beyond' : [first, last];
}
