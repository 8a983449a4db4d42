import type { Waited } from '../check.ts';
import { minutes, toNext, waitTime, type Old, type WaitingMessages } from './waiting.ts';

const plural = new Intl.PluralRules('ro');
const time = (ms: number): string => waitTime(ms, 'ro');
const clock = (name: string, ms: number | null): readonly string[] => (ms === null ? [] : [`${name} ${time(ms)}`]);

function counted(count: number, one: string, many: string): string {
  const rule = plural.select(count);
  if (rule === 'one') return `${count} ${one}`;
  return rule === 'few' ? `${count} ${many}` : `${count} de ${many}`;
}

function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} și ${items.at(-1)}`;
}

function files({ files: named, pages, others }: Old): readonly string[] {
  return [
    ...named,
    ...(pages === 0 ? [] : [counted(pages, 'pagină', 'pagini')]),
    ...(others === 0 ? [] : [counted(others, 'alt fișier', 'alte fișiere')]),
  ];
}

const isOne = ({ files: named, pages, others }: Old): boolean => named.length + pages + others === 1;

/** What is old, as main clauses. */
function facts(old: Old): readonly string[] {
  const { isCommit, expected, found, unchanged } = old;
  const differing = files(old);
  return [
    ...(differing.length === 0 ? [] : [`${listed(differing)} diferă de ${isCommit ? 'commit' : 'sursă'}`]),
    ...(expected === null
      ? []
      : [found === null ? `${expected} nu este publicată` : `este publicată ${found}, nu ${expected}`]),
    ...(unchanged ? ['pachetul motorului nu s-a schimbat'] : []),
  ];
}

function still(old: Old): string {
  const { expected, found, unchanged } = old;
  const differing = files(old);
  const all = [
    ...(differing.length === 0
      ? []
      : [`${listed(differing)} ${isOne(old) ? 'este încă în versiunea veche' : 'sunt încă în versiunea veche'}`]),
    ...(expected === null
      ? []
      : [found === null ? `${expected} nu este încă publicată` : `este publicată încă ${found}`]),
    ...(unchanged ? ['pachetul motorului nu s-a schimbat încă'] : []),
  ];
  return all.length === 0 ? '' : `: ${all.join('; ')}`;
}

export const waitingMessages: WaitingMessages = {
  starting: () => 'se întreabă pentru prima dată',
  noAnswer: (reason) => `se așteaptă un răspuns: ${reason}`,
  refused: (status) =>
    status === 429
      ? 'se întreabă mai rar: gazda răspunde 429'
      : `se întreabă mai rar: gazda răspunde ${status} la orice`,
  old: (old) => `se așteaptă versiunea nouă${still(old)}`,
  partlyOld: (old) => `se așteaptă versiunea nouă în întregime${still(old)}`,
  notWell: (ids) => `se așteaptă ca totul să fie în regulă: ${ids.join(', ')}`,
  lookingOn: () => 'a apărut ceva nou: se verifică mai mult',
  good: (count, wanted) => `până acum totul este în regulă: runda bună ${count} din ${wanted}`,
  whole: () => 'se verifică întregul site',
  timeUp: () => 'timpul a expirat: se verifică încă o dată, pentru raport',
  line: (what, { round, elapsedMs, forMs, pauseMs }) =>
    `${what} · runda ${round} · ${minutes(elapsedMs)} din ${minutes(forMs)}${pauseMs === null ? '' : ` · următoarea în ${toNext(pauseMs)}\u00a0s`}`,
  stale(old) {
    const all = facts(old);
    return `sănătos, dar în versiunea veche${all.length === 0 ? '' : `: ${all.join('; ')}`}`;
  },
  clocks({ by, elapsedMs, rounds, firstNewMs, allNewMs, allGreenMs }: Waited) {
    const isHealth = by === 'health';
    const live = isHealth ? 'sănătos' : 'publicat';
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
