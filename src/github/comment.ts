/** One comment on a pull request, updated in place. */
import type { Json } from '../answer.ts';
import { authored, listAll, ownOf, type Authored } from './authored.ts';
import { hashOf } from './marker.ts';
import { member, type Rest, type RestResult } from './rest.ts';

/** Which comment is meant. */
export interface CommentPlace {
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

interface Marked extends Authored {
  readonly site: string;
  readonly run: string;
}

/**
 * Writes the comment, or rewrites the one of an earlier run: that of the same step and site, or else that of the same
 * step in an earlier run, as every preview deployment has an address of its own. (In a run itself, the others of one
 * step are those of a matrix.) Never rejects.
 */
export async function writeComment(rest: Rest, place: CommentPlace, markdown: string): Promise<RestResult> {
  const comments = `/repos/${place.repository}/issues/${place.pullRequest}/comments`;
  const listed = await listAll(rest, comments, PAGES);
  if (!listed.ok) return listed;
  const mine = await ownOf(rest, marked(listed.entries, place));
  const [site, thisRun] = [hashOf(place.site), hashOf(place.run)];
  const before = mine.find((comment) => comment.site === site) ?? mine.find(({ run }) => run !== thisRun);
  const body = `${marker(place)}\n${markdown}`;
  if (before === undefined) return rest({ method: 'POST', path: comments, body: { body } });
  return rest({
    method: 'PATCH',
    path: `/repos/${place.repository}/issues/comments/${before.number}`,
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
  // A commit that GitHub does not know (422) has none.
  if (!result.ok) return result.problem === 'invalid' ? { ok: true, number: null } : result;
  const pulls = Array.isArray(result.value) ? (result.value as readonly Json[]) : [];
  const open = pulls.filter((pull) => member(pull, 'state') === 'open');
  const head = open.find((pull) => member(member(pull, 'head'), 'sha') === commit);
  const number = member(head, 'number');
  return { ok: true, number: typeof number === 'number' ? number : null };
}

/** Not seen by readers. Hashes, because what is in them may not end a comment of HTML. */
function marker({ step, site, run }: CommentPlace): string {
  return `<!-- docvitals comment ${hashOf(step)} ${hashOf(site)} ${hashOf(run)} -->`;
}

function marked(entries: readonly Json[], { step }: CommentPlace): readonly Marked[] {
  return entries.flatMap((entry) => {
    const comment = authored(entry, 'id');
    // At the very beginning: where somebody quotes a comment, it is not.
    const found = /^<!-- docvitals comment (\w+) (\w+) (\w+) -->/.exec(comment?.body ?? '');
    if (comment === null || found === null) return [];
    const [, stepHash, site = '', run = ''] = found;
    return stepHash === hashOf(step) ? [{ ...comment, site, run }] : [];
  });
}
