import type { Group } from '../groups.ts';

/**
 * The id of a check (`links`), of a finding's code (`links/missing`) or of one finding (`links/missing/3`), by which a
 * link leads to it. The same in every report, so that links into a report that is replaced keep their meaning.
 */
export function anchorOf(...parts: readonly string[]): string {
  // The ids of checks are plain; those of a report that was made by other means need not be.
  return parts.map((part) => part.replaceAll(/[^\w.-]/g, '_')).join('/');
}

/**
 * The id of a group: that of its code. Where a worse one among `groups` has the same code, its severity is reported too
 * (`links/missing/warning`).
 *
 * @param groups those of the check, or of all checks; of one check the worst first
 */
export function anchorOfGroup({ id, rule, severity }: Group, groups: readonly Group[]): string {
  const worst = groups.find((other) => other.id === id && other.rule === rule);
  return worst === undefined || worst.severity === severity ? anchorOf(id, rule) : anchorOf(id, rule, severity);
}
