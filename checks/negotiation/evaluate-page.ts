/** Judges what came for a page path as an agent and a browser ask for it. Pure. */
import type { RawFinding, Evidence, HostKind } from '../../src/check.ts';
import type { Rule } from './check.ts';
import type { PageObservation } from './observe.ts';
import type { ResponseFacts } from './response-facts.ts';

/** What is known of the host when a page is evaluated. */
export interface Expected {
  readonly kind: HostKind | null;
  /** Whether an agent has to get Markdown: the kind of host says so, or another page does it. */
  readonly markdown: boolean;
  /** Whether a file in the way explains a page that does not negotiate: pages without one do. */
  readonly fileFirst: boolean;
}

/** What was seen, for a finding. */
export function evidenceOf(observed: ResponseFacts): Evidence {
  const { url, accept, status, reason, mediaType, redirect } = observed;
  return {
    url,
    accept,
    ...(reason === null ? { status, mediaType } : { reason }),
    ...(redirect === null ? {} : { redirect }),
  };
}

/** Whether a response names `Accept` among what it varies by. */
export function variesByAccept({ vary }: ResponseFacts): boolean {
  const names = new Set((vary ?? '').split(',').map((name) => name.trim().toLowerCase()));
  return names.has('accept') || names.has('*');
}

/** Whether a cache may keep what answered first: no redirect, or a permanent one. */
export function isCacheable({ redirect }: ResponseFacts): boolean {
  return redirect === null || redirect === 301 || redirect === 308;
}

export function evaluatePage(page: PageObservation, expected: Expected): readonly RawFinding<Rule>[] {
  return [...evaluateAgent(page, expected), ...evaluateBrowser(page), ...evaluateVary(page)];
}

function evaluateAgent(page: PageObservation, expected: Expected): readonly RawFinding<Rule>[] {
  const { agent } = page;
  if (agent === null || !page.usable || agent.variant === 'unseen') return [];
  if (agent.variant === 'markdown') return evaluateType(page, agent);
  if (agent.variant === 'other') return evaluateOther(page, agent, expected);
  // A hit at an address that nobody has asked for before: that cache leaves queries out, and hides what is behind it.
  const hidden = expected.markdown && page.freshAgent?.cacheHit === true;
  if (hidden || page.freshAgent?.variant === 'markdown') {
    return [{ rule: 'cache-mixes-variants', evidence: { ...evidenceOf(agent), vary: agent.vary, ...agent.cache } }];
  }
  if (!expected.markdown) return [];
  return [
    { rule: causeOf(page, agent, expected), evidence: { ...evidenceOf(agent), host: expected.kind, ...agent.cache } },
  ];
}

function causeOf({ fileFirst }: PageObservation, agent: ResponseFacts, expected: Expected): Rule {
  const { pathname } = new URL(agent.url);
  // With trailing slashes kept, a platform takes a name with a dot for a file's, and cuts its slash off.
  const cut = agent.redirect === 308 && `${agent.finalPath}/` === pathname && /\.[^/]*\/$/.test(pathname);
  if (cut && expected.kind !== 'server') return 'slash-dropped';
  return fileFirst && expected.fileFirst ? fileFirstRule(expected.kind) : 'not-negotiated';
}

function fileFirstRule(kind: HostKind | null): Rule {
  if (kind === 'server') return 'not-negotiated';
  return kind === 'worker' ? 'assets-first' : 'filesystem-first';
}

/** The file's own type is the business of the checks that ask for the file. */
function evaluateType({ fileType }: PageObservation, agent: ResponseFacts): readonly RawFinding<Rule>[] {
  const { mediaType } = agent;
  const fits = mediaType !== null && mediaType.startsWith('text/') && mediaType !== 'text/html';
  return fits || mediaType === fileType ? [] : [{ rule: 'wrong-type', evidence: { ...evidenceOf(agent), fileType } }];
}

function evaluateOther(page: PageObservation, agent: ResponseFacts, expected: Expected): readonly RawFinding<Rule>[] {
  const { otherPage } = page;
  if (otherPage !== null) return [{ rule: 'wrong-markdown', evidence: { ...evidenceOf(agent), page: otherPage } }];
  const evidence = { ...evidenceOf(agent), bytes: agent.bytes };
  if (agent.counted) return [{ rule: 'converted-html', evidence }];
  if (!isText(agent)) return expected.markdown ? [{ rule: 'not-negotiated', evidence }] : [];
  return [{ rule: 'markdown-differs', evidence: { ...evidence, offset: agent.differsAt } }];
}

/** Whether a body of another kind than HTML may be meant as Markdown. */
export function isText({ mediaType }: ResponseFacts): boolean {
  return mediaType === null || mediaType.startsWith('text/') || mediaType === 'application/octet-stream';
}

function evaluateBrowser(page: PageObservation): readonly RawFinding<Rule>[] {
  const { browser, agent, root } = page;
  if (browser === null || agent?.variant !== 'markdown') return [];
  // That the site's own address gives nothing is told apart.
  if (browser.variant === 'missing') return root ? [] : [{ rule: 'no-html', evidence: evidenceOf(browser) }];
  if (browser.variant === 'markdown') {
    const mixed = page.freshBrowser?.variant === 'html' || browser.cacheHit;
    const evidence = { ...evidenceOf(browser), vary: browser.vary, ...browser.cache };
    return [mixed ? { rule: 'cache-mixes-variants', evidence } : { rule: 'html-lost', evidence: evidenceOf(browser) }];
  }
  const lost = browser.variant === 'other' || browser.status === 406;
  return lost ? [{ rule: 'html-lost', evidence: evidenceOf(browser) }] : [];
}

/** RFC 9110, section 12.5.5: what varies by `Accept` says so, in each variant. */
function evaluateVary({ agent, browser }: PageObservation): readonly RawFinding<Rule>[] {
  if (agent?.variant !== 'markdown' || browser === null || browser.variant === 'markdown') return [];
  const variants = browser.variant === 'html' ? [agent, browser] : [agent];
  return variants
    .filter((observed) => isCacheable(observed) && !variesByAccept(observed))
    .map((observed) => ({ rule: 'vary-missing', evidence: { ...evidenceOf(observed), vary: observed.vary } }));
}
