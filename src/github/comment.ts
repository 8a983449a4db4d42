/** One comment on a pull request, updated in place. */
import { createHash } from 'node:crypto';
import type { Json } from '../answer.ts';
import { member } from '../parse/json.ts';
import { type Rest, type RestResult, type RestProblem, GRAPHQL } from './rest.ts';

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

/** A short name for a text, of characters that need no escaping anywhere. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/* Finds what the same token wrote earlier, by a marker that readers do not see. */

/** Who wrote a comment or an issue. */
interface Author {
  /** Apps cannot be imitated by people, who may write a marker as well. */
  readonly isBot: boolean;
  readonly login: string;
}

/** A comment or an issue as GitHub lists it, as far as it is needed here. */
export interface Authored extends Author {
  readonly number: number;
  readonly body: string;
}

/** Entries a page; GitHub gives no more. */
const PAGE = 100;

/**
 * What `read` makes of the entries of a list, page after page, `pages` at most; what went wrong instead. Nothing is kept
 * of entries that are `null` by it: a page of comments may have megabytes.
 */
export async function listAll<T>(
  rest: Rest,
  path: string,
  pages: number,
  read: (entry: Json) => T | null,
): Promise<Found<T>> {
  const found: T[] = [];
  for (let page = 1; page <= pages; page++) {
    const separator = path.includes('?') ? '&' : '?';
    const result = await rest({ method: 'GET', path: `${path}${separator}per_page=${PAGE}&page=${page}` });
    if (!result.ok) return result;
    const listed = Array.isArray(result.value) ? (result.value as readonly Json[]) : [];
    found.push(...listed.map(read).filter((one) => one !== null));
    if (listed.length < PAGE) break;
  }
  return { ok: true, found };
}

/** Why GitHub did not say. */
type Refused = Extract<RestResult, { ok: false }>;

/** What was found; what went wrong instead. */
export type Found<T> = { readonly ok: true; readonly found: readonly T[] } | Refused;

/** `null` for what is no comment or issue. `id` names a comment, `number` an issue. */
export function authored(entry: Json, key: 'id' | 'number'): Authored | null {
  const number = member(entry, key);
  const body = member(entry, 'body');
  const user = member(entry, 'user');
  if (typeof number !== 'number' || typeof body !== 'string') return null;
  const login = member(user, 'login');
  return { number, body, isBot: member(user, 'type') === 'Bot', login: typeof login === 'string' ? login : '' };
}

/** The app that writes with the token of a workflow. */
const WORKFLOWS = 'github-actions[bot]';

/**
 * Those that the token's own user wrote; what went wrong instead. What a workflow of the repository wrote with its own
 * token counts always: nobody else can. For all others GitHub has to be asked whose the token is.
 */
export async function ownOf<T extends Author>(rest: Rest, all: readonly T[]): Promise<Found<T>> {
  if (all.every(({ isBot, login }) => isBot && login === WORKFLOWS)) return { ok: true, found: all };
  const asked = await whoAsks(rest);
  if (!asked.ok) return asked;
  const { login: me } = asked;
  const own = (one: T): boolean =>
    // Where nobody says, it is the token of an app, and no person. The REST API writes apps with `[bot]`, the GraphQL
    // API not everywhere.
    me === null ? one.isBot : one.login === me || (one.isBot && one.login === `${me}[bot]`);
  return { ok: true, found: all.filter(own) };
}

/** `login` is `null` where GitHub does not say, as to apps. */
type Asker = { readonly ok: true; readonly login: string | null } | Refused;

/** Whose the token is. What fails for a moment does not make it the token of somebody else. */
async function whoAsks(rest: Rest): Promise<Asker> {
  // Unlike the REST API, this one tells apps who they are; other servers than GitHub's have none.
  const reported = await rest({ method: 'POST', path: GRAPHQL, body: { query: '{ viewer { login } }' } });
  const viewer = reported.ok ? loginOf(member(member(reported.value, 'data'), 'viewer')) : null;
  if (viewer !== null) return { ok: true, login: viewer };
  const account = await rest({ method: 'GET', path: '/user' });
  if (account.ok) return { ok: true, login: loginOf(account.value) };
  if (!isForApps(account)) return account;
  return reported.ok || !PASSING.has(reported.problem) ? { ok: true, login: null } : reported;
}

/** The token of an app may not ask for its account. */
function isForApps({ problem }: Refused): boolean {
  return problem === 'forbidden' || problem === 'not-found';
}

/** What may be another time. */
const PASSING: ReadonlySet<RestProblem> = new Set(['rate-limited', 'server-error', 'unreachable']);

function loginOf(user: Json | undefined): string | null {
  const login = member(user, 'login');
  return typeof login === 'string' ? login : null;
}
