import type { Waited } from '../check.ts';
import { minutes, toNext, waitTime, type StaleFacts, type WaitingMessages } from './waiting.ts';

const time = (ms: number): string => waitTime(ms, 'en');
const clock = (name: string, ms: number | null): readonly string[] => (ms === null ? [] : [`${name} ${time(ms)}`]);
const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

function files({ files: named, pages, others }: StaleFacts): readonly string[] {
  return [
    ...named,
    ...(pages === 0 ? [] : [counted(pages, 'page', 'pages')]),
    ...(others === 0 ? [] : [counted(others, 'other file', 'other files')]),
  ];
}

const isOne = ({ files: named, pages, others }: StaleFacts): boolean => named.length + pages + others === 1;

/** What is old, as main clauses. */
function facts(old: StaleFacts): readonly string[] {
  const { isMissing, isCommit, expected, found, unchanged } = old;
  const differing = files(old);
  const missing = `${isOne(old) ? 'is' : 'are'} not there`;
  const differ = isMissing
    ? missing
    : `${isOne(old) ? 'differs' : 'differ'} from the ${isCommit ? 'commit' : 'source'}`;
  return [
    ...(differing.length === 0 ? [] : [`${listed(differing)} ${differ}`]),
    ...(expected === null ? [] : [found === null ? `${expected} is not live` : `${found} is live, not ${expected}`]),
    ...(unchanged ? ['the bundle has not changed'] : []),
  ];
}

function still(old: StaleFacts): string {
  const { isMissing, expected, found, unchanged } = old;
  const differing = files(old);
  const state = isMissing ? 'not there yet' : 'still old';
  const all = [
    ...(differing.length === 0 ? [] : [`${listed(differing)} ${isOne(old) ? 'is' : 'are'} ${state}`]),
    ...(expected === null ? [] : [found === null ? `${expected} is not live yet` : `${found} is still live`]),
    ...(unchanged ? ['the bundle has not changed yet'] : []),
  ];
  return all.length === 0 ? '' : `: ${all.join('; ')}`;
}

const BOTH = { 'in-turn': 'old and new in turn', 'at-once': 'old and new at once' } as const;

export const waitingMessages: WaitingMessages = {
  starting: () => 'asking for the first time',
  noAnswer: (reason) => `waiting for an answer: ${reason}`,
  refused: (status) =>
    status === 429
      ? 'asking more slowly: the host says 429'
      : `asking more slowly: the host says ${status} to everything`,
  old: (old) => `waiting for the new version${still(old)}`,
  partlyOld: (old) => `waiting for all of the new version${still(old)}`,
  notKnown: (why) => `waiting for the new version, which cannot be told from the old one yet: ${why.join('; ')}`,
  notWell: (ids) => `waiting until all is well: ${ids.join(', ')}`,
  lookingOn: () => 'there is something new: looking at more of it',
  good: (count, wanted) => `well so far: good round ${count} of ${wanted}`,
  whole: () => 'checking the whole site',
  timeUp: () => 'the time is up: checking once more for the report',
  line: (what, { round, elapsedMs, forMs, pauseMs }) =>
    `${what} · round ${round} · ${minutes(elapsedMs)} of ${minutes(forMs)}${pauseMs === null ? '' : ` · next in ${toNext(pauseMs)}\u00a0s`}`,
  stale(old) {
    const all = facts(old);
    const versions = old.both === null ? 'the old version' : BOTH[old.both];
    return `healthy, but ${versions}${all.length === 0 ? '' : `: ${all.join('; ')}`}`;
  },
  unfinished: (old, why) =>
    why === 'stopped' ? `stopped while waiting${still(old)}` : `the time is up, and not all was looked at${still(old)}`,
  clocks({ by, elapsedMs, rounds, firstNewMs, allNewMs, allGreenMs, alreadyLive }: Waited) {
    const isHealth = by === 'health';
    const live = isHealth ? 'healthy' : 'live';
    if (alreadyLive) return `was ${live} already: ${counted(rounds, 'round', 'rounds')} in ${time(elapsedMs)}`;
    const head =
      allGreenMs === null
        ? `not ${live} after ${time(elapsedMs)} and ${counted(rounds, 'round', 'rounds')}`
        : `${live} after ${time(allGreenMs)}`;
    const clocks = [
      ...clock(isHealth ? 'first good answer' : 'first new byte', firstNewMs),
      ...clock(isHealth ? 'all good' : 'all samples', allNewMs),
      ...clock(isHealth ? 'stable' : 'all green', allGreenMs),
    ];
    return clocks.length === 0 ? head : `${head}: ${clocks.join(', ')}`;
  },
};
