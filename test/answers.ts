/** Builds answers as the transport gives them, for tests of what judges them. */
import type { Answer, Evidence, NoReply, Redirect, Reply, Timings } from '../src/core/answer.ts';
import type { NamedFile } from '../src/site/types.ts';
import { readHeaders } from '../src/http/headers.ts';
import type { Reason } from '../src/http/reasons.ts';
import type { Setting } from '../src/engines/engine.ts';

const BASE = new URL('https://docs.example/');

const TIMINGS: Timings = { dnsMs: 1, connectMs: 1, tlsMs: 1, firstByteMs: 1, totalMs: 5 };

interface ReplyFacts {
  readonly url?: string;
  readonly status?: number;
  /** The value of `Content-Type`; several for a header that came several times, `null` for none. */
  readonly contentType?: string | readonly string[] | null;
  readonly redirects?: readonly Redirect[];
  /** Further response headers. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** A whole reply: 200 and `text/markdown` by default. */
export function reply(body: string | Uint8Array, facts: ReplyFacts = {}): Reply {
  const {
    url = new URL('file', BASE).href,
    status = 200,
    contentType = 'text/markdown',
    redirects = [],
    headers = {},
  } = facts;
  const types = contentType === null ? [] : [contentType].flat();
  return {
    kind: 'reply',
    requestUrl: redirects[0]?.url ?? url,
    url,
    redirects,
    attempts: 1,
    timings: TIMINGS,
    status,
    headers: readHeaders([
      ...types.flatMap((type) => ['Content-Type', type]),
      ...Object.entries(headers).flatMap(([name, values]) => [values].flat().flatMap((value) => [name, value])),
    ]),
    body: typeof body === 'string' ? Buffer.from(body) : body,
    encodedBytes: Buffer.byteLength(body),
    address: '192.0.2.1',
    tls: null,
  };
}

/** A request that came to nothing. */
export function noReply(reason: Reason, evidence: Evidence = {}, redirects: readonly Redirect[] = []): NoReply {
  const facts = { requestUrl: BASE.href, url: BASE.href, redirects, attempts: 1, timings: TIMINGS };
  return { kind: 'no-reply', ...facts, reason, evidence };
}

/** The engine bundle of the site that tests speak of. */
export const SHELL = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Harbour handbook</title>
    <link rel="stylesheet" href="assets/app.css">
  </head>
  <body>
    <div id="app"></div>
    <script type="module" src="assets/app.js"></script>
  </body>
</html>
`;

/** What a check of a named file gathers. */
export function named(setting: Setting, answer: Answer, value?: string | null, bundle = shell()): NamedFile {
  return { answer, bundle, setting, settingName: setting, value };
}

/** The answer for the bundle. */
export function shell(): Answer {
  return reply(SHELL, { url: new URL('index.html', BASE).href, contentType: 'text/html' });
}
