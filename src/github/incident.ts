/** One issue for each time that a site is not healthy: opened, kept up to date, closed when the site recovers. */
import type { Json } from '../core/answer.ts';
import { member } from '../parse/json.ts';
import { authored, hashOf, listOwn } from './comment.ts';
import type { Rest } from './rest.ts';

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

/**
 * Brings the issue of a site up to date. Resolves with the number of one that is left alone because it was closed as not
 * planned; `null`: there is none. Rejects with a `Refused`.
 */
export async function trackIncident(rest: Rest, target: IncidentTarget, now: Condition): Promise<number | null> {
  const { failing, title } = now;
  const issues = `/repos/${target.repository}/issues`;
  const known = await issuesOf(rest, target);
  // The marker contains what fails, so that the next run knows what has changed. Ids need no escaping.
  const marker = `<!-- docvitals incident ${hashOf(target.site)} ${failing.length === 0 ? 'recovered' : failing.join(',')} -->`;
  const body = `${marker}\n${now.body}`;
  const change = ({ number }: Issue, changes: Json): Promise<Json> =>
    rest({ method: 'PATCH', path: `${issues}/${number}`, body: changes });
  const comment = ({ number }: Issue, text: string): Promise<Json> =>
    rest({ method: 'POST', path: `${issues}/${number}/comments`, body: { body: text } });
  const open = known.filter(({ isOpen }) => isOpen);
  const closed = known.find(({ isOpen }) => !isOpen);
  if (failing.length === 0) {
    const recovered = (issue: Issue): string => issue.body.replace(MARKER, marker);
    for (const issue of open) {
      await change(issue, { state: 'closed', state_reason: 'completed', body: recovered(issue) });
      await comment(issue, now.recovered);
    }
    // An issue that was closed before the site recovered is over as well: what fails from now on is another incident.
    if (closed !== undefined && closed.failing !== null) await change(closed, { body: recovered(closed) });
    return null;
  }
  // The oldest: if two runs opened one each, the others are closed with it in the end.
  const current = open.at(-1);
  if (current !== undefined) {
    const before = current.failing ?? [];
    const added = failing.filter((rule) => !before.includes(rule));
    const gone = before.filter((rule) => !failing.includes(rule));
    // First the body, which contains what is known: otherwise a comment could be made again in every run.
    await change(current, { title, body });
    if (added.length + gone.length > 0) await comment(current, now.changed(added, gone));
    return null;
  }
  if (closed === undefined || closed.failing === null) {
    await rest({ method: 'POST', path: issues, body: { title, body, labels: [target.label] } });
    return null;
  }
  if (closed.isNotPlanned) return closed.number;
  await change(closed, { state: 'open', title, body });
  await comment(closed, now.reopened);
  return null;
}

/** The newest hundred issues that have the label are read, open ones and closed ones. */
const PAGES = 1;
/** If none of them is open: the newest issues without regard to labels, because a lost label must not make a second issue. */
const PAGES_WITHOUT_LABEL = 3;

/** The site's issues, the newest first. */
async function issuesOf(rest: Rest, { repository, site, label }: IncidentTarget): Promise<readonly Issue[]> {
  const issues = `/repos/${repository}/issues?state=all&sort=created&direction=desc`;
  const own = (query: string, pages: number): Promise<readonly Issue[]> =>
    listOwn(rest, `${issues}${query}`, pages, (entry) => readIssue(entry, site));
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
