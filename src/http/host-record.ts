import type { Answer, NoReply } from '../core/answer.ts';
import { isTemporary } from './reasons.ts';

/** After so many attempts without one good answer nothing better is expected from a host. */
const MOST_IN_VAIN = 15;

/** What a run knows of its hosts, by origin. Its requests share it, whatever connections they use. */
export interface HostRecords {
  readonly of: (url: URL) => HostRecord;
}

export interface HostRecord {
  /** After each attempt. */
  readonly record: (answer: Answer) => void;
  /** Whether the host was asked often and never answered well: another attempt is in vain. */
  readonly onlyFails: () => boolean;
  /** Why no request to such a host gets a response at all; `null`: it may be asked. */
  readonly givenUp: () => NoReply | null;
  /**
   * How much of a `Retry-After` is to be waited for, in milliseconds: a host that fails again afterwards is not waited for
   * again until it has answered well.
   */
  readonly granted: (askedMs: number) => number;
}

/** `clock`: in milliseconds, monotonic. */
export function hostRecords(clock: () => number): HostRecords {
  const hosts = new Map<string, HostRecord>();
  return {
    of: ({ origin }) => {
      const known = hosts.get(origin) ?? hostRecord(clock);
      hosts.set(origin, known);
      return known;
    },
  };
}

function hostRecord(clock: () => number): HostRecord {
  let attempts = 0;
  let hasAnswered = false;
  let last: Answer | null = null;
  let waitEnds = Infinity;
  const onlyFails = (): boolean => !hasAnswered && attempts >= MOST_IN_VAIN;
  return {
    record: (answer) => {
      if (answer.kind === 'reply' && !isTemporary(answer.status)) {
        hasAnswered = true;
        waitEnds = Infinity;
      }
      attempts += 1;
      last = answer;
    },
    onlyFails,
    givenUp: () => (onlyFails() && last?.kind === 'no-reply' ? last : null),
    granted: (askedMs) => {
      if (askedMs === 0) return 0;
      const now = clock();
      // Of requests that were refused together, all wait.
      if (now >= waitEnds) return 0;
      waitEnds = Math.min(waitEnds, now + askedMs);
      return askedMs;
    },
  };
}
