/** Judges all that was seen of a site's page paths. Pure. */
import type { RawFinding, Evidence, HostKind, Hosting } from '../../src/check.ts';
import { notEvaluated } from '../../src/expect/not-evaluated.ts';
import type { Rule } from './rules.ts';
import { evaluateClosely } from './evaluate-closely.ts';
import { isText, evaluatePage, evidenceOf, type Expected } from './evaluate-page.ts';
import type { PageObservation } from './observe.ts';
import type { CloseObservation } from './observe-closely.ts';
import type { ResponseFacts } from './response-facts.ts';

export interface SiteObservation {
  readonly hosting: Hosting;
  /** Whether the bundle is there: without it, what browsers get says nothing. */
  readonly bundle: boolean;
  readonly pages: readonly PageObservation[];
  readonly close: readonly CloseObservation[];
  /** The base without its slash, as a browser asks for it; only on a platform, and where the base is a folder. */
  readonly baseNoSlash: ResponseFacts | null;
}

export function evaluateSite(site: SiteObservation): readonly RawFinding<Rule>[] {
  const { pages, hosting } = site;
  const evaluable = pages.filter(isEvaluable);
  const root = site.bundle ? pages.flatMap(rootMissing) : [];
  if (evaluable.length === 0) return root.length > 0 ? root : [nothingEvaluated(pages)];
  const expected = expectedOf(evaluable, hosting.kind);
  const findings = [
    ...root,
    ...evaluable.flatMap((page) => evaluatePage(page, expected)),
    ...site.close.flatMap((close) => evaluateClosely(close, hosting.kind)),
    ...evaluateBase(site.baseNoSlash),
  ];
  return merged(expected.markdown || findings.length > 0 ? findings : [skip(hosting, evaluable)]);
}

/** Whether an agent's request says something of negotiation: an error that browsers get as well does not. */
function isEvaluable({ usable, agent, browser }: PageObservation): boolean {
  if (!usable || agent === null || agent.variant === 'unseen') return false;
  return agent.variant !== 'failed' || (browser?.variant !== 'failed' && browser?.variant !== 'unseen');
}

function rootMissing({ root, browser }: PageObservation): readonly RawFinding<Rule>[] {
  return root && browser?.variant === 'missing' ? [{ rule: 'root-missing', evidence: evidenceOf(browser) }] : [];
}

function nothingEvaluated(pages: readonly PageObservation[]): RawFinding<Rule> {
  const failure = pages.find((page) => page.failure !== null)?.failure ?? null;
  if (failure !== null) return notEvaluated(failure);
  const agent = pages.find(({ usable }) => usable)?.agent ?? null;
  return agent === null ? { rule: 'no-pages' } : { rule: 'no-answer', evidence: evidenceOf(agent) };
}

/** Whether an agent got a text at all: the page's Markdown, or what is meant as such. */
function negotiates({ agent }: PageObservation): boolean {
  if (agent === null) return false;
  return agent.variant === 'markdown' || (agent.variant === 'other' && !agent.counted && isText(agent));
}

function expectedOf(pages: readonly PageObservation[], kind: HostKind | null): Expected {
  const some = pages.some(negotiates);
  const bare = pages.some((page) => !page.fileFirst && !negotiates(page));
  return { kind, markdown: some || kind === 'platform' || kind === 'worker', fileFirst: some || !bare };
}

function evaluateBase(observed: ResponseFacts | null): readonly RawFinding<Rule>[] {
  const lost = observed !== null && ['missing', 'markdown', 'other'].includes(observed.variant);
  return lost ? [{ rule: 'base-without-slash', evidence: evidenceOf(observed) }] : [];
}

/** Nothing negotiates, and nothing says that it should. */
function skip({ kind, by, evidence }: Hosting, [page]: readonly PageObservation[]): RawFinding<Rule> {
  // How the host behaved at one page path tells as much as what came at another.
  const agent = 'url' in evidence ? null : (page?.agent ?? null);
  const found: Evidence = { ...evidence, ...(agent === null ? {} : { ...evidenceOf(agent), ...agent.cache }) };
  return kind === 'server'
    ? { rule: 'plain-server', evidence: { host: kind, by, ...found } }
    : { rule: 'not-offered', evidence: found };
}

/** One finding a code: the first, and where else it was seen. */
function merged(findings: readonly RawFinding<Rule>[]): readonly RawFinding<Rule>[] {
  const byRule = Map.groupBy(findings, ({ rule }) => rule);
  return [...byRule.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const alike = others.every(({ evidence }) => evidence?.['accept'] === first.evidence?.['accept']);
    const location = ({ evidence }: RawFinding): string => locationOf(evidence ?? {}, alike);
    const also = [...new Set(others.map(location))].filter((other) => other !== location(first));
    return [also.length === 0 ? first : { ...first, evidence: { ...first.evidence, also } }];
  });
}

/** `/guide/`, with the `Accept` behind it where that is not always the same. */
function locationOf({ url, accept }: Evidence, alike: boolean): string {
  const { pathname, search } = new URL(typeof url === 'string' ? url : 'about:blank');
  return `${pathname}${search}${alike || typeof accept !== 'string' ? '' : ` (Accept: ${accept})`}`;
}
