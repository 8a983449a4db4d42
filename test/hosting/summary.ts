import { ask, type RawRequest } from './ask.ts';

/** What the rules decide of a response, without what differs between programs for other reasons. */
export interface Summary {
  readonly status: number;
  readonly location?: string | undefined;
  /** Media type; with the charset, if it is text. */
  readonly type?: string;
  /** Directives of `Cache-Control` in alphabetical order. */
  readonly caching?: string | undefined;
  /** Whether `Vary` names `Accept`. */
  readonly vary?: boolean;
  readonly body?: string | undefined;
}

export async function summaryOf(port: number, request: RawRequest): Promise<Summary> {
  const { status, headers, body } = await ask(port, request);
  if (status >= 300 && status < 400)
    return { status: 308, location: headers['location']?.replace(/^http:\/\/[^/]+/, '') };
  if (status !== 200) return { status };
  const type = headers['content-type'] ?? 'application/octet-stream';
  return {
    status,
    type: /^text\/(?!javascript)/.test(type) ? type : type.replace(/;.*/, '').replace(/^text/, 'application'),
    caching: headers['cache-control']?.split(/,\s*/).toSorted().join(', '),
    vary: headers['vary']?.split(/,\s*/).includes('Accept') === true,
    body: Buffer.from(body).toString('utf8'),
  };
}
