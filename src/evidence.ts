import type { Draft, Evidence, Json } from './check.ts';

const LONGEST_TEXT = 500;
const LONGEST_LIST = 20;
/** Shorter values (`1`, `yes`) stand everywhere; hiding them would hide the evidence and no secret. */
const SHORTEST_SECRET = 4;
const HIDDEN = '[hidden]';

/** What a draft tells, fit for a report: bounded in size, and without what the user sent in confidence. */
export function presentable<D extends Draft>(
  draft: D,
  secrets: readonly string[],
): D & { readonly evidence: Evidence } {
  const hide = (text: string): string => hidden(text, secrets);
  const { excerpt } = draft;
  return {
    ...draft,
    evidence: boundedMembers(draft.evidence ?? {}, hide),
    ...(excerpt === undefined ? {} : { excerpt: { ...excerpt, lines: excerpt.lines.map(hide) } }),
  };
}

/** A text without the secrets that a server has sent back. */
function hidden(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
}

function boundedMembers(evidence: Evidence, hide: (text: string) => string): Evidence {
  return Object.fromEntries(Object.entries(evidence).map(([name, value]) => [name, bounded(value, hide)]));
}

function bounded(value: Json, hide: (text: string) => string): Json {
  if (typeof value === 'string') {
    const text = hide(value);
    return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
  }
  if (Array.isArray(value)) return value.slice(0, LONGEST_LIST).map((item: Json) => bounded(item, hide));
  return typeof value === 'object' && value !== null ? boundedMembers(value as Evidence, hide) : value;
}
