/** Whether the host refuses this client altogether, so that a run says nothing about the site. */
import type { Answer } from '../core/answer.ts';
import { HOMEPAGE, VERSION } from '../core/version.ts';
import { refusalIn, refusedFinding, type Refusal } from '../expect/refusal.ts';
import { isOk } from '../expect/reply.ts';
import { ACCEPT } from './settings.ts';
import type { RefusedRun, Site } from './types.ts';

/** Named as crawlers do that render pages: a rule that refuses unknown programs lets it pass. */
const BROWSER_LIKE = `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; docvitals/${VERSION}; +${HOMEPAGE}) Chrome/142.0.0.0 Safari/537.36`;

/** Refusals of a client have these statuses, and so do faults of a site. */
const AMBIGUOUS: ReadonlySet<number | null> = new Set([403, 405, 406, 418, 429, 503]);

/** By the answer for the bundle. Sends a request only where that answer does not tell. */
export async function findRefusal(site: Site): Promise<RefusedRun | null> {
  const bundle = await site.bundle();
  const refusal = refusalIn(bundle) ?? (await refusalOfAll(bundle, site));
  if (refusal === null) return null;
  return { finding: refusedFinding(bundle, refusal), ...(refusal.host && { host: refusal.host }) };
}

async function refusalOfAll(bundle: Answer, site: Site): Promise<Refusal | null> {
  const status = statusOf(bundle);
  // A single file with such a status is a fault of its own.
  if ((status === 401 || status === 429) && statusOf(await site.config()) === status) {
    return status === 429
      ? { kind: 'rate-limit', product: null }
      : { kind: 'login', product: authenticationOf(bundle) };
  }
  const isAmbiguous = AMBIGUOUS.has(status) || (bundle.kind === 'no-reply' && bundle.reason === 'reset');
  return isAmbiguous && (await servesBrowsers(site)) ? { kind: 'user-agent', product: null } : null;
}

const statusOf = (answer: Answer): number | null => (answer.kind === 'reply' ? answer.status : null);

/** `HTTP Basic`, by the first challenge (RFC 9110, section 11.6.1). */
function authenticationOf(answer: Answer): string | null {
  const challenge = answer.kind === 'reply' ? (answer.headers.get('www-authenticate') ?? '') : '';
  const [scheme] = /^[\w-]{1,20}/.exec(challenge) ?? [];
  return scheme === undefined ? null : `HTTP ${scheme}`;
}

/** The only request with this `User-Agent`: nothing else is made of its answer. */
async function servesBrowsers({ base, get }: Site): Promise<boolean> {
  const url = new URL('index.html', base);
  const answer = await get({ url, accept: ACCEPT.navigate, headers: { 'user-agent': BROWSER_LIKE }, once: true });
  return isOk(answer) && new URL(answer.url).origin === base.origin && refusalIn(answer) === null;
}
