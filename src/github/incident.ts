/** One issue for each time that a site is not well: opened, kept up to date, closed when the site recovers. */
import type { Json } from '../answer.ts';
import { member } from '../parse/json.ts';
import { authored, listAll, ownOf, type Authored, type Found, hashOf } from './comment.ts';
import type { Rest, RestResult } from './rest.ts';

/** Which incident is meant. */
export interface IncidentTarget {
  /** `owner/name` */
  readonly repository: string;
  /** The site's base URL. */
  readonly site: string;
  readonly label: string;
}

/** How the site is. */
export interface Condition {
  /** `<check>/<code>` of everything that fails the run, sorted; empty: the site is well. */
  readonly failing: readonly string[];
  readonly title: string;
  /** Markdown: what is wrong now. */
  readonly body: string;
  /** Markdown: the comment on a change of what fails. */
  changed(added: readonly string[], gone: readonly string[]): string;
  /** Markdown: the comment where somebody had closed the issue while the site was not well yet. */
  readonly reopened: string;
  /** Markdown: the comment that goes with the closing. */
  readonly recovered: string;
}

/** What was done. `left`: somebody closed it as not planned. `none`: there was nothing to do. */
export type IncidentAct = 'opened' | 'updated' | 'reopened' | 'closed' | 'left' | 'none';

export type IncidentResult =
  | { readonly ok: true; readonly act: IncidentAct; readonly issue: number | null }
  | Extract<RestResult, { ok: false }>;

interface Incident extends Authored {
  readonly isOpen: boolean;
  readonly isNotPlanned: boolean;
  /** What failed when it was written last; `null`: the site had recovered. */
  readonly failing: readonly string[] | null;
}

/** The newest hundred issues that have the label are looked through, open ones and closed ones. */
const PAGES = 1;
/** Where none that is open has it: the newest issues without regard to labels: a lost label makes no second issue. */
const PAGES_WITHOUT_LABEL = 3;

/** Brings the issue of a site up to date. Never rejects. */
export async function trackIncident(rest: Rest, target: IncidentTarget, now: Condition): Promise<IncidentResult> {
  const incidents = await incidentsOf(rest, target);
  if (!incidents.ok) return incidents;
  const open = incidents.found.filter(({ isOpen }) => isOpen);
  const last = incidents.found.find(({ isOpen }) => !isOpen);
  if (now.failing.length === 0) return recover(rest, target, now, open, last);
  // The oldest: should two runs have opened one each, the others are closed with it in the end.
  const current = open.at(-1);
  if (current !== undefined) return update(rest, target, now, current);
  if (last === undefined || last.failing === null) return openNew(rest, target, now);
  return last.isNotPlanned ? { ok: true, act: 'left', issue: last.number } : reopen(rest, target, now, last);
}

/** The newest first. */
async function incidentsOf(rest: Rest, target: IncidentTarget): Promise<Found<Incident>> {
  const issues = `/repos/${target.repository}/issues?state=all&sort=created&direction=desc`;
  const own = async (query: string, pages: number): Promise<Found<Incident>> => {
    const listed = await listAll(rest, `${issues}${query}`, pages, marked(target));
    return listed.ok ? ownOf(rest, listed.found) : listed;
  };
  const labelled = await own(`&labels=${encodeURIComponent(target.label)}`, PAGES);
  if (!labelled.ok || labelled.found.some(({ isOpen }) => isOpen)) return labelled;
  const all = await own('', PAGES_WITHOUT_LABEL);
  if (!all.ok) return all;
  const known = new Set(labelled.found.map(({ number }) => number));
  const found = [...labelled.found, ...all.found.filter(({ number }) => !known.has(number))];
  return { ok: true, found: found.toSorted((a, b) => b.number - a.number) };
}

async function openNew(rest: Rest, target: IncidentTarget, now: Condition): Promise<IncidentResult> {
  const body = { title: now.title, body: bodyOf(target, now), labels: [target.label] };
  const result = await rest({ method: 'POST', path: `/repos/${target.repository}/issues`, body });
  if (!result.ok) return result;
  const number = member(result.value, 'number');
  return { ok: true, act: 'opened', issue: typeof number === 'number' ? number : null };
}

async function update(rest: Rest, target: IncidentTarget, now: Condition, issue: Incident): Promise<IncidentResult> {
  const before = issue.failing ?? [];
  const added = now.failing.filter((rule) => !before.includes(rule));
  const gone = before.filter((rule) => !now.failing.includes(rule));
  // First the body, which holds what is known: otherwise a comment could be made again in every run.
  const written = await rest({
    method: 'PATCH',
    path: `/repos/${target.repository}/issues/${issue.number}`,
    body: { title: now.title, body: bodyOf(target, now) },
  });
  if (!written.ok) return written;
  if (added.length > 0 || gone.length > 0) {
    const commented = await comment(rest, target, issue, now.changed(added, gone));
    if (!commented.ok) return commented;
  }
  return { ok: true, act: 'updated', issue: issue.number };
}

async function reopen(rest: Rest, target: IncidentTarget, now: Condition, issue: Incident): Promise<IncidentResult> {
  const written = await rest({
    method: 'PATCH',
    path: `/repos/${target.repository}/issues/${issue.number}`,
    body: { state: 'open', title: now.title, body: bodyOf(target, now) },
  });
  if (!written.ok) return written;
  const commented = await comment(rest, target, issue, now.reopened);
  return commented.ok ? { ok: true, act: 'reopened', issue: issue.number } : commented;
}

/**
 * Closes what is open. The last issue that somebody closed before the site recovered is over as well: what fails from now
 * on is another incident. That is noted in it, and disturbs nobody.
 */
async function recover(
  rest: Rest,
  target: IncidentTarget,
  now: Condition,
  open: readonly Incident[],
  last: Incident | undefined,
): Promise<IncidentResult> {
  for (const issue of open) {
    const written = await noteRecovery(rest, target, now, issue, { state: 'closed', state_reason: 'completed' });
    if (!written.ok) return written;
    const commented = await comment(rest, target, issue, now.recovered);
    if (!commented.ok) return commented;
  }
  if (last !== undefined && last.failing !== null) {
    const written = await noteRecovery(rest, target, now, last);
    if (!written.ok) return written;
  }
  return { ok: true, act: open.length > 0 ? 'closed' : 'none', issue: open[0]?.number ?? null };
}

/** What was wrong stays to be read; only the marker changes. */
function noteRecovery(
  rest: Rest,
  target: IncidentTarget,
  now: Condition,
  issue: Incident,
  state: { readonly [key: string]: string } = {},
): Promise<RestResult> {
  return rest({
    method: 'PATCH',
    path: `/repos/${target.repository}/issues/${issue.number}`,
    body: { ...state, body: issue.body.replace(MARKER, marker(target, now)) },
  });
}

function comment(rest: Rest, { repository }: IncidentTarget, { number }: Incident, body: string): Promise<RestResult> {
  return rest({ method: 'POST', path: `/repos/${repository}/issues/${number}/comments`, body: { body } });
}

/** The marker holds what fails, so that the next run knows what has changed. Ids and codes have no character to escape. */
function marker({ site }: IncidentTarget, { failing }: Condition): string {
  return `<!-- docvitals incident ${hashOf(site)} ${failing.length === 0 ? 'recovered' : failing.join(',')} -->`;
}

function bodyOf(target: IncidentTarget, now: Condition): string {
  return `${marker(target, now)}\n${now.body}`;
}

/** At the very beginning: where somebody quotes it, it is not. */
const MARKER = /^<!-- docvitals incident (\w+) (\S+) -->/;

function marked({ site }: IncidentTarget): (entry: Json) => Incident | null {
  const siteHash = hashOf(site);
  return (entry) => {
    const issue = authored(entry, 'number');
    const found = MARKER.exec(issue?.body ?? '');
    // A list of issues has the pull requests in it, too.
    if (issue === null || found?.[1] !== siteHash || member(entry, 'pull_request') !== undefined) return null;
    const failing = found[2] === 'recovered' ? null : (found[2] ?? '').split(',');
    const isOpen = member(entry, 'state') === 'open';
    return { ...issue, isOpen, isNotPlanned: member(entry, 'state_reason') === 'not_planned', failing };
  };
}
