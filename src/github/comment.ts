/** One comment on a pull request, updated in place. */
import type { Json } from '../answer.ts';
import { member } from '../parse/json-member.ts';
import { authored, listAll, ownOf, type Author } from './authored.ts';
import { hashOf } from './marker.ts';
import type { Rest, RestResult } from './rest.ts';

/** Which comment is meant. */
export interface CommentTarget {
  /** `owner/name` */
  readonly repository: string;
  readonly pullRequest: number;
  /** Names the step that comments, the same in every run: workflow, job, step, and the environment it was deployed to. */
  readonly step: string;
  /** The site's base URL. */
  readonly site: string;
  /** Names this run of the workflow, and which attempt it is. */
  readonly run: string;
}

/** Pages of comments that are looked through: two thousand comments. */
const PAGES = 20;

/** A comment of this step. Its text is not kept, nor any part of it: there may be thousands. */
interface Marked extends Author {
  readonly number: number;
  readonly isOfSite: boolean;
  readonly isOfRun: boolean;
}

/**
 * Writes the comment, or rewrites the one of an earlier run: that of the same step and site, or else that of the same
 * step in an earlier run, as every preview deployment has an address of its own. (In a run itself, the others of one
 * step are those of a matrix.) Never rejects.
 */
export async function writeComment(rest: Rest, target: CommentTarget, markdown: string): Promise<RestResult> {
  const comments = `/repos/${target.repository}/issues/${target.pullRequest}/comments`;
  const listed = await listAll(rest, comments, PAGES, marked(target));
  if (!listed.ok) return listed;
  const mine = await ownOf(rest, listed.found);
  if (!mine.ok) return mine;
  const before = mine.found.find(({ isOfSite }) => isOfSite) ?? mine.found.find(({ isOfRun }) => !isOfRun);
  const body = `${marker(target)}\n${markdown}`;
  if (before === undefined) return rest({ method: 'POST', path: comments, body: { body } });
  return rest({
    method: 'PATCH',
    path: `/repos/${target.repository}/issues/comments/${before.number}`,
    body: { body },
  });
}

/** The open pull request that a commit is the head of; `null` where there is none. */
export async function pullRequestOf(
  rest: Rest,
  repository: string,
  commit: string,
): Promise<{ readonly ok: true; readonly number: number | null } | Extract<RestResult, { ok: false }>> {
  const result = await rest({ method: 'GET', path: `/repos/${repository}/commits/${commit}/pulls?per_page=100` });
  // A commit that GitHub does not know has none.
  if (!result.ok) return result.status === 422 ? { ok: true, number: null } : result;
  const pulls = Array.isArray(result.value) ? (result.value as readonly Json[]) : [];
  const open = pulls.filter((pull) => member(pull, 'state') === 'open');
  const head = open.find((pull) => member(member(pull, 'head'), 'sha') === commit);
  const number = member(head, 'number');
  return { ok: true, number: typeof number === 'number' ? number : null };
}

/** Not seen by readers. Hashes, because what is in them may not end a comment of HTML. */
function marker({ step, site, run }: CommentTarget): string {
  return `<!-- docvitals comment ${hashOf(step)} ${hashOf(site)} ${hashOf(run)} -->`;
}

function marked(target: CommentTarget): (entry: Json) => Marked | null {
  const [step, site, run] = [hashOf(target.step), hashOf(target.site), hashOf(target.run)];
  return (entry) => {
    const comment = authored(entry, 'id');
    // At the very beginning: where somebody quotes a comment, it is not.
    const found = /^<!-- docvitals comment (\w+) (\w+) (\w+) -->/.exec(comment?.body ?? '');
    if (comment === null || found?.[1] !== step) return null;
    const { number, isBot, login } = comment;
    return { number, isBot, login, isOfSite: found[2] === site, isOfRun: found[3] === run };
  };
}
