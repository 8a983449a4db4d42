/** Finds what the same token wrote earlier, by a marker that readers do not see. */
import type { Json } from '../answer.ts';
import { member, type Rest, type RestResult } from './rest.ts';

/** A comment or an issue as GitHub lists it, as far as it is needed here. */
export interface Authored {
  readonly number: number;
  readonly body: string;
  /** Apps cannot be imitated by people, who may write a marker as well. */
  readonly isBot: boolean;
  readonly login: string;
}

/** Entries a page; GitHub gives no more. */
const PAGE = 100;

/** The entries of a list, page after page, `pages` at most; what went wrong instead. */
export async function listAll(rest: Rest, path: string, pages: number): Promise<Listed> {
  const entries: Json[] = [];
  for (let page = 1; page <= pages; page++) {
    const separator = path.includes('?') ? '&' : '?';
    const result = await rest({ method: 'GET', path: `${path}${separator}per_page=${PAGE}&page=${page}` });
    if (!result.ok) return result;
    const listed = Array.isArray(result.value) ? (result.value as readonly Json[]) : [];
    entries.push(...listed);
    if (listed.length < PAGE) break;
  }
  return { ok: true, entries };
}

export type Listed = { readonly ok: true; readonly entries: readonly Json[] } | Extract<RestResult, { ok: false }>;

/** `null` for what is no comment or issue. `id` names a comment, `number` an issue. */
export function authored(entry: Json, key: 'id' | 'number'): Authored | null {
  const number = member(entry, key);
  const body = member(entry, 'body');
  const user = member(entry, 'user');
  if (typeof number !== 'number' || typeof body !== 'string') return null;
  const login = member(user, 'login');
  return { number, body, isBot: member(user, 'type') === 'Bot', login: typeof login === 'string' ? login : '' };
}

/** Those that the token's own user wrote. Only where people are among the authors GitHub has to be asked who that is. */
export async function ownOf<T extends Authored>(rest: Rest, found: readonly T[]): Promise<readonly T[]> {
  if (found.every(({ isBot }) => isBot)) return found;
  const user = await rest({ method: 'GET', path: '/user' });
  // The token of an app may not ask, and is no person.
  const login = user.ok ? member(user.value, 'login') : undefined;
  return found.filter((entry) => (login === undefined ? entry.isBot : entry.login === login));
}
