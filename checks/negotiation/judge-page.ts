/** Judges what came for a page path as an agent and a browser ask for it. Pure. */
import type { Draft, Evidence, HostKind } from '../../src/check.ts';
import type { Code } from './codes.ts';
import type { PageSeen } from './observe.ts';
import type { Seen } from './seen.ts';

/** What is known of the host when a page is judged. */
export interface Expected {
  readonly kind: HostKind | null;
  /** Whether an agent has to get Markdown: the kind of host says so, or another page does it. */
  readonly markdown: boolean;
  /** Whether a file in the way explains a page that does not negotiate: pages without one do. */
  readonly fileFirst: boolean;
}

/** What was seen, for a finding. */
export function told(seen: Seen): Evidence {
  const { url, accept, status, reason, mediaType, redirect } = seen;
  return {
    url,
    accept,
    ...(reason === null ? { status, mediaType } : { reason }),
    ...(redirect === null ? {} : { redirect }),
  };
}

/** Whether a response names `Accept` among what it varies by. */
export function variesByAccept({ vary }: Seen): boolean {
  const names = new Set((vary ?? '').split(',').map((name) => name.trim().toLowerCase()));
  return names.has('accept') || names.has('*');
}

/** Whether a cache may keep what answered first: no redirect, or a permanent one. */
export function isKept({ redirect }: Seen): boolean {
  return redirect === null || redirect === 301 || redirect === 308;
}

export function judgePage(page: PageSeen, expected: Expected): readonly Draft<Code>[] {
  return [...judgeAgent(page, expected), ...judgeBrowser(page), ...judgeVary(page)];
}

function judgeAgent(page: PageSeen, expected: Expected): readonly Draft<Code>[] {
  const { agent } = page;
  if (agent === null || !page.usable || agent.variant === 'unseen') return [];
  if (agent.variant === 'markdown') return judgeType(page, agent);
  if (agent.variant === 'other') return judgeOther(page, agent, expected);
  // A hit at an address that nobody has asked for before: that cache leaves queries out, and hides what is behind it.
  const hidden = expected.markdown && page.freshAgent?.cacheHit === true;
  if (hidden || page.freshAgent?.variant === 'markdown') {
    return [{ code: 'cache-mixes-variants', evidence: { ...told(agent), vary: agent.vary, ...agent.cache } }];
  }
  if (!expected.markdown) return [];
  return [{ code: causeOf(page, agent, expected), evidence: { ...told(agent), host: expected.kind, ...agent.cache } }];
}

function causeOf({ fileFirst }: PageSeen, agent: Seen, expected: Expected): Code {
  const { pathname } = new URL(agent.url);
  // With trailing slashes kept, a platform takes a name with a dot for a file's, and cuts its slash off.
  const cut = agent.redirect === 308 && `${agent.finalPath}/` === pathname && /\.[^/]*\/$/.test(pathname);
  if (cut && expected.kind !== 'server') return 'slash-dropped';
  return fileFirst && expected.fileFirst ? fileFirstCode(expected.kind) : 'not-negotiated';
}

function fileFirstCode(kind: HostKind | null): Code {
  if (kind === 'server') return 'not-negotiated';
  return kind === 'worker' ? 'assets-first' : 'filesystem-first';
}

/** The file's own type is the business of the checks that ask for the file. */
function judgeType({ fileType }: PageSeen, agent: Seen): readonly Draft<Code>[] {
  const { mediaType } = agent;
  const fits = mediaType !== null && mediaType.startsWith('text/') && mediaType !== 'text/html';
  return fits || mediaType === fileType ? [] : [{ code: 'wrong-type', evidence: { ...told(agent), fileType } }];
}

function judgeOther(page: PageSeen, agent: Seen, expected: Expected): readonly Draft<Code>[] {
  const { otherPage } = page;
  if (otherPage !== null) return [{ code: 'wrong-markdown', evidence: { ...told(agent), page: otherPage } }];
  const evidence = { ...told(agent), bytes: agent.bytes };
  if (agent.counted) return [{ code: 'converted-html', evidence }];
  if (!isText(agent)) return expected.markdown ? [{ code: 'not-negotiated', evidence }] : [];
  return [{ code: 'markdown-differs', evidence: { ...evidence, offset: agent.differsAt } }];
}

/** Whether a body of another kind than HTML may be meant as Markdown. */
export function isText({ mediaType }: Seen): boolean {
  return mediaType === null || mediaType.startsWith('text/') || mediaType === 'application/octet-stream';
}

function judgeBrowser(page: PageSeen): readonly Draft<Code>[] {
  const { browser, agent, root } = page;
  if (browser === null || agent?.variant !== 'markdown') return [];
  // That the site's own address gives nothing is told apart.
  if (browser.variant === 'missing') return root ? [] : [{ code: 'no-html', evidence: told(browser) }];
  if (browser.variant === 'markdown') {
    const mixed = page.freshBrowser?.variant === 'html' || browser.cacheHit;
    const evidence = { ...told(browser), vary: browser.vary, ...browser.cache };
    return [mixed ? { code: 'cache-mixes-variants', evidence } : { code: 'html-lost', evidence: told(browser) }];
  }
  const lost = browser.variant === 'other' || browser.status === 406;
  return lost ? [{ code: 'html-lost', evidence: told(browser) }] : [];
}

/** RFC 9110, section 12.5.5: what varies by `Accept` says so, in each variant. */
function judgeVary({ agent, browser }: PageSeen): readonly Draft<Code>[] {
  if (agent?.variant !== 'markdown' || browser === null || browser.variant === 'markdown') return [];
  const variants = browser.variant === 'html' ? [agent, browser] : [agent];
  return variants
    .filter((seen) => isKept(seen) && !variesByAccept(seen))
    .map((seen) => ({ code: 'vary-missing', evidence: { ...told(seen), vary: seen.vary } }));
}
