/**
 * Recognises answers that are about the client instead of the file: a challenge, a limit, a block, a login wall. Visitors
 * in a browser pass them, or have an account, so such an answer says nothing about the site.
 */
import type { Answer, Evidence, NoReply, Reply } from '../core/answer.ts';
import type { HostProduct } from '../site/host-product.ts';

export type RefusalKind = 'challenge' | 'block' | 'login' | 'rate-limit' | 'user-agent' | 'http2-only';

export interface Refusal {
  readonly kind: RefusalKind;
  /** The name of the product; `null`: not known. */
  readonly product: string | null;
  /** Under which name fixes have instructions for the product. */
  readonly host?: HostProduct;
}

/** A product refuses in one way. What is given must all be true of a response. */
interface Sign extends Refusal {
  readonly product: string;
  /** Absent: any status. A product that also marks what it lets through is recognised by the status. */
  readonly status?: readonly number[];
  readonly header?: readonly [name: string, value: RegExp];
  readonly body?: RegExp;
}

const ANY = /^/;
const CLOUDFLARE = { product: 'Cloudflare', host: 'Cloudflare' } as const;
const VERCEL = { product: 'Vercel', host: 'Vercel' } as const;
const AWS = { product: 'AWS WAF', host: 'S3 and CloudFront' } as const;
const SITEGROUND = { product: 'SiteGround', kind: 'challenge' } as const;

/**
 * Sources, read in November 2026: documentation of the vendor where it has any, otherwise responses in public bug
 * reports. A header that a product also sends with pages (`x-datadome`, `x-iinfo`, `server`) never decides alone.
 */
const SIGNS: readonly Sign[] = [
  // developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response
  { ...CLOUDFLARE, kind: 'challenge', header: ['cf-mitigated', /^challenge$/i] },
  // developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-1xxx-errors: those that refuse a
  // client, others concern all; a client that does not accept HTML gets "error code: 1010" only.
  {
    ...CLOUDFLARE,
    kind: 'block',
    status: [403, 429, 503],
    header: ['server', /^cloudflare/i],
    body: /error code: 10(?:0[5-9]|1[025]|20)\b|<title>(?:Attention Required! \||Just a moment|[^<]* used Cloudflare to restrict access)/i,
  },
  // vercel.com/docs/vercel-firewall: 403 or 429 (vercel-labs/vgpu#228, elevenlabs/ui#80, warpdotdev/docs#219)
  { ...VERCEL, kind: 'challenge', header: ['x-vercel-mitigated', /^challenge$/i] },
  { ...VERCEL, kind: 'challenge', header: ['x-vercel-challenge-token', ANY] },
  { ...VERCEL, kind: 'block', header: ['x-vercel-mitigated', /^(?:deny|rate_limit)/i] },
  // vercel.com/docs/deployment-protection: 401 with a page (patrickedqvist/wait-for-vercel-preview#62)
  { ...VERCEL, kind: 'login', status: [401], header: ['set-cookie', /^_vercel_sso_nonce=/i] },
  { ...VERCEL, kind: 'login', status: [401], header: ['server', /^vercel$/i] },
  // docs.aws.amazon.com/waf/latest/developerguide/waf-captcha-and-challenge-actions.html: 202 and 405
  { ...AWS, kind: 'challenge', header: ['x-amzn-waf-action', /^(?:challenge|captcha)$/i] },
  // SiteGround: 202, or 200 with a page that leads to the captcha
  { ...SITEGROUND, header: ['sg-captcha', /^challenge$/i] },
  { ...SITEGROUND, body: /<meta[^>]+http-equiv=["']?refresh["']?[^>]+\/\.well-known\/s?g?captcha\// },
  // Imunify360 (docs.imunify360.com/webshield): 200, 403 or 415, also with pages that it lets through
  {
    product: 'Imunify360',
    kind: 'challenge',
    header: ['server', /^imunify360-webshield/i],
    body: /<title>One moment, please|your request is being verified|bot-protection/i,
  },
  // docs.datadome.co: `x-datadome` comes with pages, too
  { product: 'DataDome', kind: 'challenge', status: [401, 403, 405, 429], header: ['x-dd-b', ANY] },
  { product: 'DataDome', kind: 'challenge', status: [401, 403, 405, 429], header: ['x-datadome', ANY] },
  // docs.sucuri.net/website-firewall: 403 (Ekultek/WhatWaf#1164, #1562), or a page with a script that sets a cookie
  { product: 'Sucuri', kind: 'block', header: ['x-sucuri-block', ANY] },
  { product: 'Sucuri', kind: 'block', status: [403], body: /<title>Sucuri WebSite Firewall - Access Denied/ },
  { product: 'Sucuri', kind: 'challenge', header: ['x-sucuri-id', ANY], body: /sucuri_cloudproxy_js/ },
  // Akamai (Ekultek/WhatWaf#1162, netbirdio/netbird#3670): a page of the edge with a reference number; 429 by Bot Manager
  {
    product: 'Akamai',
    kind: 'block',
    status: [403, 429],
    header: ['server', /^AkamaiGHost/i],
    body: /Reference(?:\s|&#32;)*(?:#|&#35;)\d+(?:\.|&#46;)/,
  },
  { product: 'Akamai', kind: 'block', status: [403, 429], body: /errors(?:\.|&#46;)edgesuite(?:\.|&#46;)net/ },
  { product: 'Akamai', kind: 'challenge', body: /id="sec-if-cpt-container"/ },
  // Imperva (OpenTermsArchive/engine#319). Pages that it lets through may load the same script
  // (webrecorder/browsertrix-crawler#1135): its own page has no index and nothing else.
  {
    product: 'Imperva',
    kind: 'challenge',
    body: /^\s*<html[^>]*>\s*<head>\s*<meta name="?robots"? content="?noindex, ?nofollow"?>[^]{0,300}\/_Incapsula_Resource\?/i,
  },
  // anubis.techaro.lol: 200, or as the operator has set
  { product: 'Anubis', kind: 'challenge', body: /<script id="anubis_challenge"/ },
  // ddos-guard.net: 403 with a page that sets a cookie
  { product: 'DDoS-Guard', kind: 'challenge', status: [403, 429, 503], header: ['server', /^ddos-guard/i] },
  // docs.humansecurity.com (PerimeterX): 403 or 429 with `window._pxAppId`
  { product: 'HUMAN', kind: 'challenge', status: [403, 429], body: /window\._pxAppId|id="px-captcha"/ },
  // wordfence.com/help: 503 or 403
  { product: 'Wordfence', kind: 'block', status: [403, 503], body: /Generated by Wordfence/ },
  // nodejs.org/api/http2.html, `unknownProtocol`: a server for HTTP/2 answers others with a text in HTTP/1.0
  { kind: 'http2-only', product: 'Node.js', status: [403], body: /^(?:Missing|Unknown) ALPN Protocol, expected `h2`/ },
  // docs.netlify.com/manage/security/secure-access-to-sites/password-protection: 401 with a form
  { product: 'Netlify', host: 'Netlify', kind: 'login', status: [401], header: ['server', /^netlify$/i] },
];

/** Where login walls redirect to: `host` and the beginning of `path`. */
const WALLS: readonly (Refusal & { readonly to: RegExp })[] = [
  // developers.cloudflare.com/cloudflare-one/policies/access (RackulaLives/Rackula#2346)
  {
    kind: 'login',
    product: 'Cloudflare Access',
    host: 'Cloudflare',
    to: /^https:\/\/[^/?#]+\.cloudflareaccess\.com\//,
  },
  // vercel.com/docs/deployment-protection (HomenShum/nodebench-ai#88, cacheplane/threadplane#984)
  { ...VERCEL, kind: 'login', to: /^https:\/\/vercel\.com\/sso(?:-api|\/)/ },
];

/** Challenges are short pages, or name themselves in the head. In bytes. */
const BEGINNING = 16 * 1024;

/** Which product refuses this client with an answer; `null`: none that is recognised. */
export function refusalIn(answer: Answer): Refusal | null {
  const wall = WALLS.find(({ to }) => answer.redirects.some(({ location }) => to.test(location)));
  if (wall !== undefined) return refusalOf(wall);
  if (answer.kind === 'no-reply') return speaksHttp2Only(answer) ? HTTP2_ONLY : null;
  const text = lazyText(answer);
  const sign = SIGNS.find(({ status, header, body }) => {
    if (status !== undefined && !status.includes(answer.status)) return false;
    if (header !== undefined && !answer.headers.all(header[0]).some((value) => header[1].test(value))) return false;
    return body === undefined || body.test(text());
  });
  return sign === undefined ? null : refusalOf(sign);
}

const HTTP2_ONLY: Refusal = { kind: 'http2-only', product: null };

/** It begins with a SETTINGS frame of stream 0 (RFC 9113, sections 3.4, 4.1 and 6.5), or refuses HTTP/1.1 in TLS (RFC 7301). */
function speaksHttp2Only({ reason, evidence }: NoReply): boolean {
  const { received, error } = evidence;
  if (reason === 'tls-protocol') return typeof error === 'string' && error.endsWith('NO_APPLICATION_PROTOCOL');
  if (reason !== 'bad-framing' || typeof received !== 'string') return false;
  return received[0] === '\0' && received.charCodeAt(3) === 4 && received.slice(5, 9) === '\0\0\0\0';
}

function refusalOf({ kind, product, host }: Refusal): Refusal {
  return { kind, product, ...(host && { host }) };
}

function lazyText({ body }: Reply): () => string {
  let text: string | undefined;
  return () =>
    (text ??= Buffer.from(body.buffer, body.byteOffset, Math.min(BEGINNING, body.length)).toString('latin1'));
}

/** The finding that an answer is about this client. */
export function refusedFinding(answer: Answer, { kind, product }: Refusal) {
  const [hop] = answer.redirects;
  const status = hop?.status ?? (answer.kind === 'reply' ? answer.status : null);
  const retryAfter = answer.kind === 'reply' ? answer.headers.get('retry-after') : null;
  const evidence: Evidence = {
    refusal: kind,
    ...(product === null ? {} : { product }),
    ...(status === null ? {} : { status }),
    ...(hop === undefined ? {} : { location: hop.location }),
    ...(retryAfter === null ? {} : { retryAfter }),
  };
  return { rule: 'client-refused' as const, evidence };
}
