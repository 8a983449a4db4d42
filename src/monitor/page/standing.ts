/** What may be said of a site at this moment: what was found last, as long as that is not too long ago. Pure. */
import type { Verdict } from '../../check.ts';
import type { Tone } from '../../report/html/signs.ts';
import type { SiteState } from '../incident/incident.ts';
import { isSuspected } from '../incident/suspicion.ts';

/** A verdict, or why there is none to tell. `new`: not looked at yet; `maintenance`: being worked on, and not well. */
export type Kind = Verdict | 'new' | 'maintenance';

/** The gravest first: what a page of many sites begins with. */
export const GRAVEST_FIRST: readonly Kind[] = ['down', 'degraded', 'unknown', 'stale', 'new', 'maintenance', 'healthy'];

/** The sign and the colour that stand beside a kind. */
export const KIND_TONE: Readonly<Record<Kind, Tone>> = {
  down: 'fail',
  degraded: 'warn',
  stale: 'stale',
  unknown: 'unknown',
  new: 'skip',
  maintenance: 'note',
  healthy: 'pass',
};

/** How a site stands. Times are ms since 1970. */
export interface Standing {
  readonly kind: Kind;
  /** When it was looked at last; `null`: never. */
  readonly at: number | null;
  /** What was found then; differs from `kind` where that is too long ago, or the site is in maintenance. */
  readonly last: Verdict | null;
  /** Nothing was heard for too long: the monitor has stopped, or cannot look. */
  readonly isSilent: boolean;
  /** A failure that was seen, and is being confirmed before anybody is told. */
  readonly isSuspected: boolean;
}

/** What a standing is made of. */
export interface Seen {
  readonly state: SiteState | null;
  readonly isInMaintenance: boolean;
  /** What is older than this says nothing any more: when three rounds should have been since the last one. */
  readonly silentFrom: number | null;
  readonly now: number;
}

/** How a site stands at `now`. */
export function standingOf({ state, isInMaintenance, silentFrom, now }: Seen): Standing {
  const at = state?.lastAt ?? null;
  if (state === null || at === null) {
    return { kind: 'new', at: null, last: null, isSilent: false, isSuspected: false };
  }
  const isSilent = silentFrom !== null && now > silentFrom;
  const { verdict } = state;
  const kind = kindOf(verdict, isSilent, isInMaintenance);
  return { kind, at, last: verdict, isSilent, isSuspected: !isSilent && isSuspected(state) };
}

function kindOf(verdict: Verdict, isSilent: boolean, isInMaintenance: boolean): Kind {
  if (isSilent) return 'unknown';
  return isInMaintenance && verdict !== 'healthy' ? 'maintenance' : verdict;
}

/** How many sites stand how. */
export function countKinds(kinds: Iterable<Kind>): ReadonlyMap<Kind, number> {
  const counts = new Map<Kind, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return new Map(GRAVEST_FIRST.flatMap((kind) => (counts.has(kind) ? [[kind, counts.get(kind) ?? 0] as const] : [])));
}

/** The gravest of them; `new` where there is none. */
export function gravestOf(kinds: readonly Kind[]): Kind {
  return GRAVEST_FIRST.find((kind) => kinds.includes(kind)) ?? 'new';
}
