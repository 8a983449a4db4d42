/** What a receiver's HTTP answer means for an alert. Pure. */
import { hidden } from '../../../hidden.ts';
import { printable } from '../../../printable.ts';
import { cutText } from '../../../report/cut.ts';
import type { SendResult } from '../send.ts';
import type { HttpResult } from './request.ts';

/** Client errors that pass by themselves (RFC 9110, 15.5.9; RFC 8470; RFC 6585). */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

const LONGEST_SAID = 200;

/**
 * 2xx is taken as arrived, everything else not. `secrets`: what is confidential of the request, in case the receiver
 * says it back.
 */
export function resultOf(result: HttpResult, now: number, secrets: readonly string[]): SendResult {
  if (result.kind === 'failed') return { ok: false, error: result.error, permanent: false, retryAfterMs: null };
  const { status, headers } = result;
  if (status >= 200 && status < 300) return { ok: true, status };
  return {
    ok: false,
    error: `http ${status}${said(result, secrets)}`,
    permanent: status < 500 && !PASSING.has(status),
    retryAfterMs: retryAfterOf(headers['retry-after'], now),
  };
}

/** What the receiver says of it, as one short line; web pages are left out. */
function said({ headers, body }: Extract<HttpResult, { kind: 'reply' }>, secrets: readonly string[]): string {
  const type = String(headers['content-type'] ?? '');
  if (!/^(?:text\/plain|application\/(?:[\w.+-]+\+)?json)\b/i.test(type)) return '';
  const text = printable(body.toString('utf8').trim().replaceAll(/\s+/g, ' '));
  return text === '' ? '' : `: ${cutText(hidden(text, secrets), LONGEST_SAID)}`;
}

/** Seconds, or a date (RFC 9110, section 10.2.3), in ms from now; `null` for what is neither. */
function retryAfterOf(value: string | string[] | undefined, now: number): number | null {
  const text = String(value ?? '').trim();
  // Some say fractions of seconds.
  if (/^\d{1,9}(?:\.\d{1,6})?$/.test(text)) return Math.ceil(Number(text) * 1_000);
  const at = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** The parts of an address that can be secrets: userinfo, segments of the path, values of the query. */
export function secretsOf(url: URL, headers: Readonly<Record<string, string>> = {}): readonly string[] {
  const parts = [
    url.username,
    url.password,
    decoded(url.password),
    // Short words before the last segment are the interface's own: `services`, `webhooks`.
    ...url.pathname.split('/').filter((part, at, all) => at === all.length - 1 || !/^[a-z]{1,10}$/.test(part)),
    ...url.searchParams.values(),
    ...Object.values(headers).flatMap((value) => [value, ...value.split(' ')]),
  ];
  return [...new Set(parts)].filter((part) => part.length >= 6).toSorted((a, b) => b.length - a.length);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
