import type { RawFinding, Evidence, Json, Location } from './check.ts';
import { hidden } from './hidden.ts';

const LONGEST_TEXT = 500;
const LONGEST_LIST = 20;
const MOST_LOCATIONS = 100;
/** More of a text is not even searched for secrets: the report shows its beginning. */
const LONGEST_SEARCHED = 20 * LONGEST_TEXT;

/** The evidence of a finding, fit for a report: bounded in size, and without what the user sent in confidence. */
export function presentable<D extends RawFinding>(
  finding: D,
  secrets: readonly string[],
): D & { readonly evidence: Evidence } {
  const hide = (text: string): string => hidden(text.slice(0, LONGEST_SEARCHED), secrets);
  const { excerpt, location, locations } = finding;
  const located = (target: Location): Location => ({ ...target, path: cut(hide(target.path)) });
  return {
    ...finding,
    evidence: boundedMembers(finding.evidence ?? {}, hide),
    ...(location === undefined ? {} : { location: located(location) }),
    ...(locations === undefined ? {} : { locations: locations.slice(0, MOST_LOCATIONS).map(located) }),
    ...(excerpt === undefined ? {} : { excerpt: { ...excerpt, lines: excerpt.lines.map(hide) } }),
  };
}

function cut(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

function boundedMembers(evidence: Evidence, hide: (text: string) => string): Evidence {
  // Names are the check's own words, except where they are keys of what was received.
  const named = (name: string): string => (/^[A-Za-z]+$/.test(name) ? name : hide(name));
  return Object.fromEntries(Object.entries(evidence).map(([name, value]) => [named(name), bounded(value, hide)]));
}

function bounded(value: Json, hide: (text: string) => string): Json {
  if (typeof value === 'string') {
    return cut(hide(value));
  }
  if (Array.isArray(value)) return value.slice(0, LONGEST_LIST).map((item: Json) => bounded(item, hide));
  return typeof value === 'object' && value !== null ? boundedMembers(value as Evidence, hide) : value;
}
