import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Evidence, Reply, TlsFacts } from '../../src/core/answer.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import type { Site } from '../../src/site/types.ts';
import { notEvaluated, notReceived } from '../../src/expect/not-received.ts';
import type { Rule } from './check.ts';
import { hostOf, isPublic } from '../../src/http/address-scope.ts';
import { DAY_MS } from '../../src/core/time.ts';

type Findings = readonly RawFinding<Rule>[];

/** Certificates of less than 63 days are renewed later: when a third of their life is left. */
const SOON_DAYS = 21;
const SOON_SHARE = 1 / 3;
/** Certificates of at most a week are renewed every few days (CA/Browser Forum, "short-lived"). */
const SHORT_LIVED_DAYS = 7;
/** The recommendation is half a year, in seconds. */
const LONG_ENOUGH = 15_552_000;

/** Many hosts drop packets to port 80: do not wait for all attempts. */
const PATIENCE_MS = 5_000;

/** The bundle over HTTPS, and over HTTP where visitors may come that way. */
export async function gather(site: Site) {
  const answer = await site.bundle();
  const plain = await askPlain(site, answer);
  const now = new Date();
  const requests = plain === null ? 1 : 2;
  return { answer, base: site.base, plain, now, requests, facts: factsOf(answer, plain, now) };
}

async function askPlain(site: Site, answer: Answer): Promise<Answer | null> {
  if (site.base.protocol !== 'https:' || site.base.port !== '' || answer.kind === 'no-reply') return null;
  const url = new URL(site.base);
  url.protocol = 'http:';
  const plain = site.pooled({ url, accept: 'text/html,*/*;q=0.8' });
  return Promise.race([plain, sleep(PATIENCE_MS, null, { ref: false })]);
}

export function evaluate({ answer, base, plain, now }: Awaited<ReturnType<typeof gather>>): Findings {
  if (answer.kind === 'no-reply') {
    const cut = notObserved(answer);
    if (cut.length > 0) return cut;
    const { reason, evidence } = answer;
    return [reason.startsWith('tls-') ? { rule: reason as Rule, evidence } : notEvaluated(answer)];
  }
  if (answer.tls === null) {
    const evidence = { url: base.href, address: answer.address };
    return [{ rule: isPublic(base, answer.address) ? 'no-https' : 'plain-http', evidence }];
  }
  return [...certificate(answer.tls, now), ...redirect(plain), ...strictTransport(answer), ...notObserved(plain)];
}

function notObserved(answer: Answer | null): Findings {
  const cut = answer === null ? null : notReceived(answer);
  return cut === null ? [] : [{ rule: cut.rule, evidence: { url: cut.url, ...cut.evidence } }];
}

function certificate(facts: TlsFacts, now: Date): Findings {
  const { validFrom, validTo, issuer, subject } = facts;
  const left = daysLeft(facts, now);
  if (left === null) return [];
  const lifetime = validFrom === null ? null : daysLeft(facts, new Date(validFrom));
  const age = lifetime === null ? {} : { lifetimeDays: Math.round(lifetime) };
  const evidence = { daysLeft: Math.floor(left), ...age, validTo, subject, issuer };
  const soon = lifetime === null ? SOON_DAYS : Math.min(SOON_DAYS, lifetime * SOON_SHARE);
  if (left < soon) return [{ rule: 'expires-soon', evidence }];
  return lifetime !== null && lifetime <= SHORT_LIVED_DAYS ? [{ rule: 'short-lived', evidence }] : [];
}

function daysLeft({ validTo }: TlsFacts, now: Date): number | null {
  return validTo === null ? null : (Date.parse(validTo) - now.getTime()) / DAY_MS;
}

/** A site that also answers over HTTP without leading to HTTPS; no listener there, or an error, is fine. */
function redirect(plain: Answer | null): Findings {
  if (plain?.kind !== 'reply' || plain.status >= 300 || new URL(plain.url).protocol === 'https:') return [];
  const { requestUrl, url, status, redirects } = plain;
  const leadsTo = redirects.length > 0 ? { finalUrl: url } : {};
  return [{ rule: 'no-https-redirect', evidence: { url: requestUrl, status, ...leadsTo } }];
}

/** HSTS (RFC 6797): the first header counts (section 8.1), and none means anything for an IP address (section 8.1.1). */
function strictTransport(answer: Reply): Findings {
  const url = new URL(answer.url);
  // Hosts often send it with the site's own files only.
  if (answer.status >= 400) return [];
  if (isIP(hostOf(url)) !== 0 || !isPublic(url, answer.address)) return [];
  const [header = null] = answer.headers.all('strict-transport-security');
  const maxAge = /(?:^|;)\s*max-age\s*=\s*"?(\d{1,15})"?\s*(?:;|$)/i.exec(header ?? '')?.[1];
  if (maxAge !== undefined && Number(maxAge) >= LONG_ENOUGH) return [];
  return [{ rule: 'no-hsts', evidence: header === null ? {} : { strictTransportSecurity: header } }];
}

function factsOf(answer: Answer, plain: Answer | null, now: Date): Evidence {
  if (answer.kind === 'no-reply' || answer.tls === null) return {};
  const { protocol, issuer, subject, validTo } = answer.tls;
  const left = daysLeft(answer.tls, now);
  const [hsts] = answer.headers.all('strict-transport-security');
  const http = plain?.kind === 'reply' ? (plain.redirects[0]?.status ?? plain.status) : plain?.reason;
  return {
    protocol,
    issuer,
    subject,
    validTo,
    ...(left === null ? {} : { daysLeft: Math.floor(left) }),
    ...(http !== undefined && { http }),
    ...(hsts === undefined ? {} : { hsts }),
  };
}
