/** Judges all that was seen of a site's page paths. Pure. */
import type { Draft, Evidence, HostKind, Hosting } from '../../src/check.ts';
import { unjudged } from '../../src/expect/unjudged.ts';
import type { Code } from './codes.ts';
import { judgeClosely } from './judge-closely.ts';
import { isText, judgePage, told, type Expected } from './judge-page.ts';
import type { PageSeen } from './observe.ts';
import type { CloseSeen } from './observe-closely.ts';
import type { Seen } from './seen.ts';

export interface SiteSeen {
  readonly hosting: Hosting;
  /** Whether the bundle is there: without it, what browsers get says nothing. */
  readonly bundle: boolean;
  readonly pages: readonly PageSeen[];
  readonly close: readonly CloseSeen[];
  /** The base without its slash, as a browser asks for it; only on a platform, and where the base is a folder. */
  readonly baseNoSlash: Seen | null;
}

export function judgeSite(site: SiteSeen): readonly Draft<Code>[] {
  const { pages, hosting } = site;
  const judged = pages.filter(isJudged);
  const root = site.bundle ? pages.flatMap(rootMissing) : [];
  if (judged.length === 0) return root.length > 0 ? root : [nothingJudged(pages)];
  const expected = expectedOf(judged, hosting.kind);
  const drafts = [
    ...root,
    ...judged.flatMap((page) => judgePage(page, expected)),
    ...site.close.flatMap((close) => judgeClosely(close, hosting.kind)),
    ...judgeBase(site.baseNoSlash),
  ];
  return merged(expected.markdown || drafts.length > 0 ? drafts : [skip(hosting, judged)]);
}

/** Whether an agent's request says something of negotiation: an error that browsers get as well does not. */
function isJudged({ usable, agent, browser }: PageSeen): boolean {
  if (!usable || agent === null || agent.variant === 'unseen') return false;
  return agent.variant !== 'failed' || (browser?.variant !== 'failed' && browser?.variant !== 'unseen');
}

function rootMissing({ root, browser }: PageSeen): readonly Draft<Code>[] {
  return root && browser?.variant === 'missing' ? [{ code: 'root-missing', evidence: told(browser) }] : [];
}

function nothingJudged(pages: readonly PageSeen[]): Draft<Code> {
  const failure = pages.find((page) => page.failure !== null)?.failure ?? null;
  if (failure !== null) return unjudged(failure);
  const agent = pages.find(({ usable }) => usable)?.agent ?? null;
  return agent === null ? { code: 'no-pages' } : { code: 'no-answer', evidence: told(agent) };
}

/** Whether an agent got a text at all: the page's Markdown, or what is meant as such. */
function negotiates({ agent }: PageSeen): boolean {
  if (agent === null) return false;
  return agent.variant === 'markdown' || (agent.variant === 'other' && !agent.counted && isText(agent));
}

function expectedOf(pages: readonly PageSeen[], kind: HostKind | null): Expected {
  const some = pages.some(negotiates);
  const bare = pages.some((page) => !page.fileFirst && !negotiates(page));
  return { kind, markdown: some || kind === 'platform' || kind === 'worker', fileFirst: some || !bare };
}

function judgeBase(seen: Seen | null): readonly Draft<Code>[] {
  const lost = seen !== null && ['missing', 'markdown', 'other'].includes(seen.variant);
  return lost ? [{ code: 'base-without-slash', evidence: told(seen) }] : [];
}

/** Nothing negotiates, and nothing says that it should. */
function skip({ kind, by, evidence }: Hosting, [page]: readonly PageSeen[]): Draft<Code> {
  // How the host behaved at one page path tells as much as what came at another.
  const agent = 'url' in evidence ? null : (page?.agent ?? null);
  const found: Evidence = { ...evidence, ...(agent === null ? {} : { ...told(agent), ...agent.cache }) };
  return kind === 'server'
    ? { code: 'plain-server', evidence: { host: kind, by, ...found } }
    : { code: 'not-offered', evidence: found };
}

/** One finding a code: the first, and where else it was seen. */
function merged(drafts: readonly Draft<Code>[]): readonly Draft<Code>[] {
  const byCode = Map.groupBy(drafts, ({ code }) => code);
  return [...byCode.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const alike = others.every(({ evidence }) => evidence?.['accept'] === first.evidence?.['accept']);
    const place = ({ evidence }: Draft): string => placeOf(evidence ?? {}, alike);
    const also = [...new Set(others.map(place))].filter((other) => other !== place(first));
    return [also.length === 0 ? first : { ...first, evidence: { ...first.evidence, also } }];
  });
}

/** `/guide/`, with the `Accept` behind it where that is not always the same. */
function placeOf({ url, accept }: Evidence, alike: boolean): string {
  const { pathname, search } = new URL(typeof url === 'string' ? url : 'about:blank');
  return `${pathname}${search}${alike || typeof accept !== 'string' ? '' : ` (Accept: ${accept})`}`;
}
