import type { Check, Role } from '../check.ts';
import { nearest } from '../config/nearest.ts';
import { UsageError } from './usage-error.ts';
import { echoed } from './echoed.ts';

/** Which checks to run. */
export interface Selection {
  /** All declared checks; without it the core checks, the user's own, and those that `only` names. */
  readonly full: boolean;
  /** Roles that another option gives something to compare with: what the site is deployed from, its version. */
  readonly enabled: readonly Role[];
  /** Those among them that run even where `only` does not name their check. */
  readonly demanded: readonly Role[];
  readonly only: readonly string[];
  readonly skip: readonly string[];
}

/** The checks that a selection leaves, in their declared order. Throws a `UsageError` for an unknown id and for none. */
export function selectChecks(
  all: readonly Check[],
  { full, enabled, demanded, only, skip }: Selection,
): readonly Check[] {
  for (const [option, ids] of [
    ['--only', only],
    ['--skip', skip],
  ] as const) {
    for (const id of ids) findCheck(all, id, option);
  }
  const preset =
    only.length === 0
      ? all.filter((check) => full || !check.full || hasRole(check, enabled))
      : all.filter((check) => only.includes(check.id) || hasRole(check, demanded));
  const selected = preset.filter(({ id }) => !skip.includes(id));
  if (selected.length === 0) throw new UsageError((messages) => messages.noChecksLeft());
  return selected;
}

const hasRole = ({ role }: Check, roles: readonly Role[]): boolean => role !== undefined && roles.includes(role);

/** The check of an id; `asked` names where the id was given. Throws a `UsageError` that suggests the nearest one. */
export function findCheck(all: readonly Check[], id: string, asked: string): Check {
  const found = all.find((check) => check.id === id);
  if (found !== undefined) return found;
  const ids = all.map((check) => check.id);
  throw new UsageError((messages) =>
    messages.unknownCheck(asked, echoed(id), ids.join(', '), nearest(id, ids) ?? null),
  );
}

/** Names that a line has room for. */
const MOST_NAMED = 20;

/** `a, b, c`, and no more than a line of them. */
export function someOf(ids: readonly string[]): string {
  return ids.length > MOST_NAMED ? `${ids.slice(0, MOST_NAMED).join(', ')}, …` : ids.join(', ');
}
