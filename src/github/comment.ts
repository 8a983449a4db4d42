/** One comment on a pull request, updated in place; and how to find what the same token wrote earlier. */
import { hash } from 'node:crypto';
import type { Json } from '../core/answer.ts';
import { member } from '../parse/json.ts';
import { GRAPHQL, Refused, type Rest } from './rest.ts';

export interface CommentTarget {
  /** `owner/name` */
  readonly repository: string;
  readonly pullRequest: number;
  /** Names the step that comments, the same in every run: workflow, job, step, and the environment it was deployed to. */
  readonly step: string;
  readonly site: string;
  /** Names this run of the workflow and its attempt. */
  readonly run: string;
}

/** Pages of comments that are read: two thousand comments. */
const PAGES = 20;

/**
 * Writes the comment, or rewrites the one of an earlier run: that of the same step and site, or else that of the same
 * step in an earlier run, as every preview deployment has an address of its own. (In a run itself, the others of one
 * step are those of a matrix.) Rejects with a `Refused`.
 */
export async function writeComment(rest: Rest, target: CommentTarget, markdown: string): Promise<void> {
  const issues = `/repos/${target.repository}/issues`;
  const comments = `${issues}/${target.pullRequest}/comments`;
  // Hashes, because what is in them must not end a comment of HTML.
  const [step, site, run] = [target.step, target.site, target.run].map(hashOf);
  const own = await listOwn(rest, comments, PAGES, (entry) => {
    const comment = authored(entry, 'id');
    // At the very beginning: not in a quoted comment.
    const found = /^<!-- docvitals comment (\w+) (\w+) (\w+) -->/.exec(comment?.body ?? '');
    if (comment === null || found === null || found[1] !== step) return null;
    const { body: _, ...author } = comment;
    return { ...author, isOfSite: found[2] === site, isOfRun: found[3] === run };
  });
  const before = own.find(({ isOfSite }) => isOfSite) ?? own.find(({ isOfRun }) => !isOfRun);
  const body = { body: `<!-- docvitals comment ${step} ${site} ${run} -->\n${markdown}` };
  if (before === undefined) await rest({ method: 'POST', path: comments, body });
  else await rest({ method: 'PATCH', path: `${issues}/comments/${before.number}`, body });
}

/** The open pull request that a commit is the head of; `null`: none. Rejects with a `Refused`. */
export async function pullRequestOf(rest: Rest, repository: string, commit: string): Promise<number | null> {
  const path = `/repos/${repository}/commits/${commit}/pulls?per_page=${PAGE}`;
  const pulls = await rest({ method: 'GET', path }).catch((error: unknown) => {
    // A commit that GitHub does not know has none.
    if (error instanceof Refused && error.status === 422) return [];
    throw error;
  });
  const head = listOf(pulls).find(
    (pull) => member(pull, 'state') === 'open' && member(member(pull, 'head'), 'sha') === commit,
  );
  const number = member(head, 'number');
  return typeof number === 'number' ? number : null;
}

/** A short name for a text, of characters that need no escaping anywhere. */
export function hashOf(text: string): string {
  return hash('sha256', text).slice(0, 16);
}

/** Entries of a page; GitHub sends no more. */
const PAGE = 100;

/** The app that writes with the token of a workflow. */
const WORKFLOWS = 'github-actions[bot]';

/**
 * What `read` makes of the entries of a list that the token's own user wrote, page after page. Nothing is kept of entries
 * for which it returns `null`: a page of comments may have megabytes.
 */
export async function listOwn<T extends { readonly isBot: boolean; readonly login: string }>(
  rest: Rest,
  path: string,
  pages: number,
  read: (entry: Json) => T | null,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (let page = 1; page <= pages; page++) {
    const separator = path.includes('?') ? '&' : '?';
    const listed = listOf(await rest({ method: 'GET', path: `${path}${separator}per_page=${PAGE}&page=${page}` }));
    found.push(...listed.map(read).filter((one) => one !== null));
    if (listed.length < PAGE) break;
  }
  // What a workflow of the repository wrote with its own token always counts: no one else can.
  if (found.every(({ isBot, login }) => isBot && login === WORKFLOWS)) return found;
  // For all others GitHub has to be asked whose the token is.
  const me = await ownerOfToken(rest);
  // The REST API writes apps with `[bot]`, the GraphQL API not everywhere.
  return found.filter(({ isBot, login }) => (me === null ? isBot : login === me || (isBot && login === `${me}[bot]`)));
}

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** A comment, whose key is `id`, or an issue, whose key is `number`; `null`: neither. */
export function authored(entry: Json, key: 'id' | 'number') {
  const number = member(entry, key);
  const body = member(entry, 'body');
  const user = member(entry, 'user');
  if (typeof number !== 'number' || typeof body !== 'string') return null;
  // Apps cannot be imitated by people, who may write a marker as well.
  return { number, body, isBot: member(user, 'type') === 'Bot', login: loginOf(user) ?? '' };
}

/** Whose the token is; `null`: an app's that GitHub does not name. What fails for a moment does not change the owner. */
async function ownerOfToken(rest: Rest): Promise<string | null> {
  const refusal = (error: unknown): Refused => {
    if (error instanceof Refused) return error;
    throw error;
  };
  // Unlike the REST API, this one returns the identity of an app; other servers than GitHub's have none.
  const query = { query: '{ viewer { login } }' };
  const viewer = await rest({ method: 'POST', path: GRAPHQL, body: query }).catch(refusal);
  const login = viewer instanceof Refused ? null : loginOf(member(member(viewer, 'data'), 'viewer'));
  if (login !== null) return login;
  const account = await rest({ method: 'GET', path: '/user' }).catch(refusal);
  if (!(account instanceof Refused)) return loginOf(account);
  // The token of an app may not ask for its account.
  if (account.problem !== 'forbidden' && account.problem !== 'not-found') throw account;
  if (viewer instanceof Refused && viewer.isPassing) throw viewer;
  return null;
}

function loginOf(user: Json | undefined): string | null {
  const login = member(user, 'login');
  return typeof login === 'string' ? login : null;
}
