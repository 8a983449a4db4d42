import type { Waited } from '../check.ts';
import { counted } from './counted-ro.ts';
import { minutes, toNext, waitTime, type StaleFacts, type WaitingMessages } from './waiting.ts';

const time = (ms: number): string => waitTime(ms, 'ro');
const clock = (name: string, ms: number | null): readonly string[] => (ms === null ? [] : [`${name} ${time(ms)}`]);

function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} și ${items.at(-1)}`;
}

function files({ files: named, pages, others }: StaleFacts): readonly string[] {
  return [
    ...named,
    ...(pages === 0 ? [] : [counted(pages, 'pagină', 'pagini')]),
    ...(others === 0 ? [] : [counted(others, 'alt fișier', 'alte fișiere')]),
  ];
}

const isOne = ({ files: named, pages, others }: StaleFacts): boolean => named.length + pages + others === 1;

/** What is old, as main clauses. */
function facts(old: StaleFacts): readonly string[] {
  const { isMissing, isCommit, expected, found, unchanged } = old;
  const differing = files(old);
  const missing = isOne(old) ? 'lipsește' : 'lipsesc';
  const differ = isMissing ? missing : `diferă de ${isCommit ? 'commit' : 'sursă'}`;
  return [
    ...(differing.length === 0 ? [] : [`${listed(differing)} ${differ}`]),
    ...(expected === null
      ? []
      : [found === null ? `${expected} nu este publicată` : `este publicată ${found}, nu ${expected}`]),
    ...(unchanged ? ['pachetul motorului nu s-a schimbat'] : []),
  ];
}

function still(old: StaleFacts): string {
  const { isMissing, expected, found, unchanged } = old;
  const differing = files(old);
  const missing = isOne(old) ? 'lipsește încă' : 'lipsesc încă';
  const state = isMissing ? missing : `${isOne(old) ? 'este' : 'sunt'} încă în versiunea veche`;
  const all = [
    ...(differing.length === 0 ? [] : [`${listed(differing)} ${state}`]),
    ...(expected === null
      ? []
      : [found === null ? `${expected} nu este încă publicată` : `este publicată încă ${found}`]),
    ...(unchanged ? ['pachetul motorului nu s-a schimbat încă'] : []),
  ];
  return all.length === 0 ? '' : `: ${all.join('; ')}`;
}

const BOTH = {
  'in-turn': 'în versiunea veche și în cea nouă, pe rând',
  'at-once': 'în versiunea veche și în cea nouă, în același timp',
} as const;

export const waitingMessages: WaitingMessages = {
  starting: () => 'se întreabă pentru prima dată',
  noAnswer: (reason) => `se așteaptă un răspuns: ${reason}`,
  refused: (status) =>
    status === 429
      ? 'se întreabă mai rar: gazda răspunde 429'
      : `se întreabă mai rar: gazda răspunde ${status} la orice`,
  old: (old) => `se așteaptă versiunea nouă${still(old)}`,
  partlyOld: (old) => `se așteaptă versiunea nouă în întregime${still(old)}`,
  notKnown: (why) => `se așteaptă versiunea nouă, care nu poate fi deosebită încă de cea veche: ${why.join('; ')}`,
  notWell: (ids) => `se așteaptă ca totul să fie în regulă: ${ids.join(', ')}`,
  lookingOn: () => 'a apărut ceva nou: se verifică mai mult',
  good: (count, wanted) => `până acum totul este în regulă: runda bună ${count} din ${wanted}`,
  whole: () => 'se verifică întregul site',
  timeUp: () => 'timpul a expirat: se verifică încă o dată, pentru raport',
  line: (what, { round, elapsedMs, forMs, pauseMs }) =>
    `${what} · runda ${round} · ${minutes(elapsedMs)} din ${minutes(forMs)}${pauseMs === null ? '' : ` · următoarea în ${toNext(pauseMs)}\u00a0s`}`,
  stale(old) {
    const all = facts(old);
    const versions = old.both === null ? 'în versiunea veche' : BOTH[old.both];
    return `sănătos, dar ${versions}${all.length === 0 ? '' : `: ${all.join('; ')}`}`;
  },
  unfinished: (old, why) =>
    why === 'stopped'
      ? `oprit în timpul așteptării${still(old)}`
      : `timpul a expirat și nu s-a verificat totul${still(old)}`,
  clocks({ by, elapsedMs, rounds, firstNewMs, allNewMs, allGreenMs, alreadyLive }: Waited) {
    const isHealth = by === 'health';
    const live = isHealth ? 'sănătos' : 'publicat';
    if (alreadyLive) return `era deja ${live}: ${counted(rounds, 'rundă', 'runde')} în ${time(elapsedMs)}`;
    const head =
      allGreenMs === null
        ? `încă nu este ${live} după ${time(elapsedMs)} și ${counted(rounds, 'rundă', 'runde')}`
        : `${live} după ${time(allGreenMs)}`;
    const clocks = [
      ...clock(isHealth ? 'primul răspuns bun' : 'primul octet nou', firstNewMs),
      ...clock(isHealth ? 'totul bun' : 'toate eșantioanele', allNewMs),
      ...clock(isHealth ? 'stabil' : 'totul verde', allGreenMs),
    ];
    return clocks.length === 0 ? head : `${head}: ${clocks.join(', ')}`;
  },
};
