/** One issue for each time that a site is not healthy: opened, kept up to date, closed when the site recovers. */
import type { Json } from '../answer.ts';
import { member } from '../parse/json.ts';
import { authored, hashOf, listAll, ownOf } from './comment.ts';
import type { Rest, RestRequest } from './rest.ts';

export interface IncidentTarget {
  /** `owner/name` */
  readonly repository: string;
  readonly site: string;
  readonly label: string;
}

/** The condition of the site. All texts are Markdown. */
export interface Condition {
  /** `<check>/<rule>` of everything that fails the run, sorted; empty: the site is healthy. */
  readonly failing: readonly string[];
  readonly title: string;
  readonly body: string;
  /** The comment on a change of what fails. */
  changed(added: readonly string[], gone: readonly string[]): string;
  /** The comment if the issue was closed by hand before the site was healthy. */
  readonly reopened: string;
  /** The comment with which it is closed. */
  readonly recovered: string;
}

type Issue = NonNullable<ReturnType<typeof readIssue>>;

interface Plan {
  /** What is done. `left`: it was closed as not planned. `none`: there is nothing to do. */
  readonly act: 'opened' | 'updated' | 'reopened' | 'closed' | 'left' | 'none';
  /** The number of the one that is concerned. */
  readonly issue?: number | undefined;
  /** What has to be sent, in order. */
  readonly requests: readonly RestRequest[];
}

/** Brings the issue of a site up to date. Rejects with a `Refused`. */
export async function trackIncident(rest: Rest, target: IncidentTarget, now: Condition) {
  const plan = planFor(target, now, await issuesOf(rest, target));
  for (const request of plan.requests) await rest(request);
  return plan;
}

function planFor({ repository, site, label }: IncidentTarget, now: Condition, known: readonly Issue[]): Plan {
  const { failing, title } = now;
  const issues = `/repos/${repository}/issues`;
  // The marker contains what fails, so that the next run knows what has changed. Ids need no escaping.
  const marker = `<!-- docvitals incident ${hashOf(site)} ${failing.length === 0 ? 'recovered' : failing.join(',')} -->`;
  const body = `${marker}\n${now.body}`;
  const change = ({ number }: Issue, changes: Json): RestRequest => ({
    method: 'PATCH',
    path: `${issues}/${number}`,
    body: changes,
  });
  const comment = ({ number }: Issue, text: string): RestRequest => ({
    method: 'POST',
    path: `${issues}/${number}/comments`,
    body: { body: text },
  });
  const open = known.filter(({ isOpen }) => isOpen);
  const closed = known.find(({ isOpen }) => !isOpen);
  if (failing.length === 0) {
    const recovered = (issue: Issue): string => issue.body.replace(MARKER, marker);
    const closing = open.flatMap((issue) => [
      change(issue, { state: 'closed', state_reason: 'completed', body: recovered(issue) }),
      comment(issue, now.recovered),
    ]);
    // An issue that was closed before the site recovered is over as well: what fails from now on is another incident.
    const isStale = closed !== undefined && closed.failing !== null;
    const requests = isStale ? [...closing, change(closed, { body: recovered(closed) })] : closing;
    return { act: open.length > 0 ? 'closed' : 'none', issue: open[0]?.number, requests };
  }
  // The oldest: if two runs opened one each, the others are closed with it in the end.
  const current = open.at(-1);
  if (current !== undefined) {
    const before = current.failing ?? [];
    const added = failing.filter((rule) => !before.includes(rule));
    const gone = before.filter((rule) => !failing.includes(rule));
    const comments = added.length + gone.length > 0 ? [comment(current, now.changed(added, gone))] : [];
    // First the body, which contains what is known: otherwise a comment could be made again in every run.
    return { act: 'updated', issue: current.number, requests: [change(current, { title, body }), ...comments] };
  }
  if (closed === undefined || closed.failing === null) {
    const opening = { method: 'POST', path: issues, body: { title, body, labels: [label] } } as const;
    return { act: 'opened', requests: [opening] };
  }
  if (closed.isNotPlanned) return { act: 'left', issue: closed.number, requests: [] };
  const reopening = change(closed, { state: 'open', title, body });
  return { act: 'reopened', issue: closed.number, requests: [reopening, comment(closed, now.reopened)] };
}

/** The newest hundred issues that have the label are read, open ones and closed ones. */
const PAGES = 1;
/** If none of them is open: the newest issues without regard to labels, because a lost label must not make a second issue. */
const PAGES_WITHOUT_LABEL = 3;

/** The site's issues, the newest first. */
async function issuesOf(rest: Rest, { repository, site, label }: IncidentTarget): Promise<readonly Issue[]> {
  const issues = `/repos/${repository}/issues?state=all&sort=created&direction=desc`;
  const own = async (query: string, pages: number): Promise<readonly Issue[]> =>
    ownOf(rest, await listAll(rest, `${issues}${query}`, pages, (entry) => readIssue(entry, site)));
  const labelled = await own(`&labels=${encodeURIComponent(label)}`, PAGES);
  if (labelled.some(({ isOpen }) => isOpen)) return labelled;
  const all = await own('', PAGES_WITHOUT_LABEL);
  const found = new Map([...labelled, ...all].map((issue) => [issue.number, issue]));
  return [...found.values()].toSorted((a, b) => b.number - a.number);
}

/** At the very beginning: not in a quotation. */
const MARKER = /^<!-- docvitals incident (\w+) (\S+) -->/;

function readIssue(entry: Json, site: string) {
  const issue = authored(entry, 'number');
  const found = MARKER.exec(issue?.body ?? '');
  // A list of issues also contains the pull requests.
  if (issue === null || found?.[1] !== hashOf(site) || member(entry, 'pull_request') !== undefined) return null;
  return {
    ...issue,
    isOpen: member(entry, 'state') === 'open',
    isNotPlanned: member(entry, 'state_reason') === 'not_planned',
    /** What failed when it was written last; `null`: the site had recovered. */
    failing: found[2] === 'recovered' ? null : (found[2] ?? '').split(','),
  };
}
