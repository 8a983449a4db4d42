import type { Draft, Evidence, Json, Location } from './check.ts';

const LONGEST_TEXT = 500;
const LONGEST_LIST = 20;
const MOST_PLACES = 100;
/** Shorter values (`1`, `yes`) stand everywhere; hiding them would hide the evidence and no secret. */
const SHORTEST_SECRET = 4;
/** Nothing shorter has been cut without saying so. */
const SHORTEST_CUT = 60;
const HIDDEN = '[hidden]';

/** What a draft tells, fit for a report: bounded in size, and without what the user sent in confidence. */
export function presentable<D extends Draft>(
  draft: D,
  secrets: readonly string[],
): D & { readonly evidence: Evidence } {
  const hide = (text: string): string => hidden(text, secrets);
  const { excerpt, location, places } = draft;
  const placed = (place: Location): Location => ({ ...place, path: cut(hide(place.path)) });
  return {
    ...draft,
    evidence: boundedMembers(draft.evidence ?? {}, hide),
    ...(location === undefined ? {} : { location: placed(location) }),
    ...(places === undefined ? {} : { places: places.slice(0, MOST_PLACES).map(placed) }),
    ...(excerpt === undefined ? {} : { excerpt: { ...excerpt, lines: excerpt.lines.map(hide) } }),
  };
}

/** A text without the secrets that a server has sent back, whole, in other letter case, or cut off at an end. */
export function hidden(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .reduce((shown, secret) => withoutEnds(withoutWhole(shown, secret), secret), text);
}

function withoutWhole(text: string, secret: string): string {
  return text.replaceAll(new RegExp(secret.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`), 'gi'), HIDDEN);
}

/** Evidence is cut to a length: a secret at the cut has left its beginning before `…`, or its end after it. */
function withoutEnds(text: string, secret: string): string {
  if (!text.endsWith('…') && !text.startsWith('…') && text.length < SHORTEST_CUT) return text;
  const [opening, middle, closing] = [
    /^…?/.exec(text)?.[0] ?? '',
    text.replaceAll(/^…|…$/g, ''),
    /…?$/.exec(text)?.[0] ?? '',
  ];
  const lower = middle.toLowerCase();
  const wanted = secret.toLowerCase();
  for (let length = Math.min(secret.length, middle.length); length >= SHORTEST_SECRET; length--) {
    if (lower.endsWith(wanted.slice(0, length))) return `${opening}${middle.slice(0, -length)}${HIDDEN}${closing}`;
    if (opening !== '' && lower.startsWith(wanted.slice(-length))) {
      return `${opening}${HIDDEN}${middle.slice(length)}${closing}`;
    }
  }
  return text;
}

function cut(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

function boundedMembers(evidence: Evidence, hide: (text: string) => string): Evidence {
  return Object.fromEntries(Object.entries(evidence).map(([name, value]) => [name, bounded(value, hide)]));
}

function bounded(value: Json, hide: (text: string) => string): Json {
  if (typeof value === 'string') {
    return cut(hide(value));
  }
  if (Array.isArray(value)) return value.slice(0, LONGEST_LIST).map((item: Json) => bounded(item, hide));
  return typeof value === 'object' && value !== null ? boundedMembers(value as Evidence, hide) : value;
}
