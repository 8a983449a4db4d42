/** Asks whether links to other sites still lead somewhere. */
import { mapConcurrently } from '../../src/map-concurrently.ts';
import type { Answer, Evidence, ExternalTarget, LinkedFrom, Site } from '../../src/check.ts';

export interface ExternalLinks {
  readonly requests: number;
  readonly missing: readonly { readonly url: string; readonly evidence: Evidence; readonly linked: LinkedFrom }[];
  /** How many gave no clear answer: refused, too many requests, timeouts, errors of the other host. */
  readonly unsure: number;
}

const MOST_URLS = 2_000;
const MOST_PER_HOST = 100;
const HOSTS_AT_ONCE = 12;
/** Names that no site has (RFC 2606 and 6761): samples in the text. */
const SAMPLE_HOST = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)\.?$/i;
const ACCEPT = 'text/html,application/xhtml+xml,*/*;q=0.8';

/** Asks for each URL once, one after another on each host. Only a clear answer is held against a link. */
export async function askForExternal(targets: ReadonlyMap<string, ExternalTarget>, site: Site): Promise<ExternalLinks> {
  const urls = [...targets.keys()].filter((url) => !SAMPLE_HOST.test(new URL(url).hostname)).slice(0, MOST_URLS);
  const hosts = [...Map.groupBy(urls, (url) => new URL(url).host).values()];
  const found = { requests: 0, evidence: new Map<string, Evidence>(), unsure: 0 };
  const ask = async (url: string, method: 'HEAD' | 'GET'): Promise<Answer> => {
    found.requests += 1;
    return site.pooled({ url: new URL(url), method, accept: ACCEPT, once: true });
  };
  await mapConcurrently(hosts, HOSTS_AT_ONCE, async (host) => {
    for (const url of host.slice(0, MOST_PER_HOST)) {
      if (site.limits.signal?.aborted === true) return;
      const head = await ask(url, 'HEAD');
      // Hosts lie on HEAD; one that gives no answer, or asks not to be asked, is not asked for the same again.
      const answer = isThere(head) || isFinal(head) ? head : await ask(url, 'GET');
      const gone = goneEvidence(answer);
      if (gone !== null) found.evidence.set(url, gone);
      else if (!isThere(answer)) found.unsure += 1;
      // Somebody else's host that is in trouble is left alone.
      if (isFinal(answer) && gone === null) {
        found.unsure += Math.min(host.length, MOST_PER_HOST) - host.indexOf(url) - 1;
        return;
      }
    }
  });
  const missing = urls.flatMap((url) => {
    const [evidence, linked] = [found.evidence.get(url), targets.get(url)];
    return evidence === undefined || linked === undefined ? [] : [{ url, evidence, linked }];
  });
  return { requests: found.requests, missing, unsure: found.unsure };
}

const isThere = (answer: Answer): boolean => answer.kind === 'reply' && answer.status < 400;
const isFinal = (answer: Answer): boolean => answer.kind === 'no-reply' || answer.status === 429;

/** Why a link certainly leads nowhere, or `null`. */
function goneEvidence(answer: Answer): Evidence | null {
  if (answer.kind === 'reply') return answer.status === 404 || answer.status === 410 ? { status: answer.status } : null;
  return answer.reason === 'dns-not-found' ? { reason: answer.reason } : null;
}
