import { defineCheck, type Answer, type Check, type Since } from '../check.ts';
import { REPLY_RULES, usable, type ReplyRule } from '../expect/reply.ts';

/** What the bundle has before the deploy: to be waited for to change. */
export interface Baseline {
  /** `null`: there is no bundle yet, so that whatever comes is new. */
  readonly since: Since | null;
}

/** Asks for the bundle only, and hands the answer over. It judges no more than whether something came. */
export function bundleProbe(onAnswer: (answer: Answer) => void): Check {
  return defineCheck<{ answer: Answer }, ReplyRule>({
    id: 'baseline',
    role: 'bundle',
    target: 'index.html',
    rules: REPLY_RULES,
    gather: async (site) => {
      const answer = await site.bundle();
      onAnswer(answer);
      return { answer };
    },
    evaluate: ({ answer }) => {
      const used = usable(answer);
      return Promise.resolve('finding' in used ? [used.finding] : []);
    },
  });
}

/** Nobody is there, as before a first deploy or while a server starts anew; other failures say nothing of what is deployed. */
const NOBODY: ReadonlySet<string> = new Set(['refused', 'dns-not-found']);

/**
 * What an answer says of the bundle before the deploy; `null`: nothing, it has to be asked for again. A bundle without
 * validators is compared with the time: what was modified later is new. `now`: milliseconds since 1970.
 */
export function baselineOf(answer: Answer, now: number): Baseline | null {
  if (answer.kind === 'no-reply') return NOBODY.has(answer.reason) ? { since: null } : null;
  if (answer.status === 404 || answer.status === 410) return { since: null };
  if (answer.status !== 200) return null;
  const etag = answer.headers.get('etag')?.trim() ?? '';
  if (etag !== '') return { since: { etag } };
  // The host's own clock, where it tells it: Last-Modified goes by it.
  const times = ['last-modified', 'date'].map((name) => Date.parse(answer.headers.get(name) ?? ''));
  return { since: { modifiedMs: times.find((time) => !Number.isNaN(time)) ?? now } };
}
