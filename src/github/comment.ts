/** One comment on a pull request, updated in place; and how to find what the same token wrote earlier. */
import { createHash } from 'node:crypto';
import type { Json } from '../answer.ts';
import { member } from '../parse/json.ts';
import { GRAPHQL, isPassing, type Rest, type RestResult } from './rest.ts';

/** Which comment is meant. */
export interface CommentTarget {
  /** `owner/name` */
  readonly repository: string;
  readonly pullRequest: number;
  /** Names the step that comments, the same in every run: workflow, job, step, and the environment it was deployed to. */
  readonly step: string;
  /** The site's base URL. */
  readonly site: string;
  /** Names this run of the workflow and its attempt. */
  readonly run: string;
}

/** Pages of comments that are read: two thousand comments. */
const PAGES = 20;

/**
 * Writes the comment, or rewrites the one of an earlier run: that of the same step and site, or else that of the same
 * step in an earlier run, as every preview deployment has an address of its own. (In a run itself, the others of one
 * step are those of a matrix.) Never rejects.
 */
export async function writeComment(rest: Rest, target: CommentTarget, markdown: string): Promise<RestResult> {
  const issues = `/repos/${target.repository}/issues`;
  const comments = `${issues}/${target.pullRequest}/comments`;
  // Hashes, because what is in them must not end a comment of HTML.
  const [step, site, run] = [target.step, target.site, target.run].map(hashOf);
  const listed = await listAll(rest, comments, PAGES, (entry) => {
    const comment = authored(entry, 'id');
    // At the very beginning: not in a quoted comment.
    const found = /^<!-- docvitals comment (\w+) (\w+) (\w+) -->/.exec(comment?.body ?? '');
    if (comment === null || found === null || found[1] !== step) return null;
    const { body: _, ...author } = comment;
    return { ...author, isOfSite: found[2] === site, isOfRun: found[3] === run };
  });
  if (!listed.ok) return listed;
  const own = await ownOf(rest, listed.value);
  if (!own.ok) return own;
  const before = own.value.find(({ isOfSite }) => isOfSite) ?? own.value.find(({ isOfRun }) => !isOfRun);
  const body = { body: `<!-- docvitals comment ${step} ${site} ${run} -->\n${markdown}` };
  if (before === undefined) return rest({ method: 'POST', path: comments, body });
  return rest({ method: 'PATCH', path: `${issues}/comments/${before.number}`, body });
}

/** The open pull request that a commit is the head of; `null`: none. */
export async function pullRequestOf(
  rest: Rest,
  repository: string,
  commit: string,
): Promise<RestResult<number | null>> {
  const result = await rest({ method: 'GET', path: `/repos/${repository}/commits/${commit}/pulls?per_page=100` });
  // A commit that GitHub does not know has none.
  if (!result.ok) return result.status === 422 ? { ok: true, value: null } : result;
  const head = listOf(result.value).find(
    (pull) => member(pull, 'state') === 'open' && member(member(pull, 'head'), 'sha') === commit,
  );
  const number = member(head, 'number');
  return { ok: true, value: typeof number === 'number' ? number : null };
}

/** A short name for a text, of characters that need no escaping anywhere. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Who wrote a comment or an issue. */
interface Author {
  /** Apps cannot be imitated by people, who may write a marker as well. */
  readonly isBot: boolean;
  readonly login: string;
}

/** A comment or an issue. */
export interface Authored extends Author {
  readonly number: number;
  readonly body: string;
}

/** Entries of a page; GitHub sends no more. */
const PAGE = 100;

/**
 * What `read` makes of the entries of a list, page after page. Nothing is kept of entries for which it returns `null`: a
 * page of comments may have megabytes.
 */
export async function listAll<T>(
  rest: Rest,
  path: string,
  pages: number,
  read: (entry: Json) => T | null,
): Promise<RestResult<readonly T[]>> {
  const found: T[] = [];
  for (let page = 1; page <= pages; page++) {
    const separator = path.includes('?') ? '&' : '?';
    const result = await rest({ method: 'GET', path: `${path}${separator}per_page=${PAGE}&page=${page}` });
    if (!result.ok) return result;
    const listed = listOf(result.value);
    found.push(...listed.map(read).filter((one) => one !== null));
    if (listed.length < PAGE) break;
  }
  return { ok: true, value: found };
}

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** A comment, whose key is `id`, or an issue, whose key is `number`; `null`: neither. */
export function authored(entry: Json, key: 'id' | 'number'): Authored | null {
  const number = member(entry, key);
  const body = member(entry, 'body');
  const user = member(entry, 'user');
  if (typeof number !== 'number' || typeof body !== 'string') return null;
  return { number, body, isBot: member(user, 'type') === 'Bot', login: loginOf(user) ?? '' };
}

/** The app that writes with the token of a workflow. */
const WORKFLOWS = 'github-actions[bot]';

/**
 * Those that the token's own user wrote. What a workflow of the repository wrote with its own token always counts: no one
 * else can. For all others GitHub has to be asked whose the token is.
 */
export async function ownOf<T extends Author>(rest: Rest, all: readonly T[]): Promise<RestResult<readonly T[]>> {
  if (all.every(({ isBot, login }) => isBot && login === WORKFLOWS)) return { ok: true, value: all };
  const asked = await ownerOfToken(rest);
  if (!asked.ok) return asked;
  const { value: me } = asked;
  const isOwn = ({ isBot, login }: T): boolean =>
    // The REST API writes apps with `[bot]`, the GraphQL API not everywhere.
    me === null ? isBot : login === me || (isBot && login === `${me}[bot]`);
  return { ok: true, value: all.filter(isOwn) };
}

/** Whose the token is; `null`: an app's that GitHub does not name. What fails for a moment does not change the owner. */
async function ownerOfToken(rest: Rest): Promise<RestResult<string | null>> {
  // Unlike the REST API, this one tells apps who they are; other servers than GitHub's have none.
  const viewer = await rest({ method: 'POST', path: GRAPHQL, body: { query: '{ viewer { login } }' } });
  const login = viewer.ok ? loginOf(member(member(viewer.value, 'data'), 'viewer')) : null;
  if (login !== null) return { ok: true, value: login };
  const account = await rest({ method: 'GET', path: '/user' });
  if (account.ok) return { ok: true, value: loginOf(account.value) };
  // The token of an app may not ask for its account.
  if (account.problem !== 'forbidden' && account.problem !== 'not-found') return account;
  return viewer.ok || !isPassing(viewer) ? { ok: true, value: null } : viewer;
}

function loginOf(user: Json | undefined): string | null {
  const login = member(user, 'login');
  return typeof login === 'string' ? login : null;
}
