import type { Waited } from '../check.ts';
import { isOneInFrench } from './number.ts';
import { minutes, toNext, waitTime, type StaleFacts, type WaitingMessages } from './messages.ts';

const time = (ms: number): string => waitTime(ms, 'fr');
const clock = (name: string, ms: number | null): readonly string[] => (ms === null ? [] : [`${name} ${time(ms)}`]);
const counted = (count: number, one: string, many: string): string => `${count} ${isOneInFrench(count) ? one : many}`;

function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} et ${items.at(-1)}`;
}

function files({ files: named, pages, others }: StaleFacts): readonly string[] {
  return [
    ...named,
    ...(pages === 0 ? [] : [counted(pages, 'page', 'pages')]),
    ...(others === 0 ? [] : [counted(others, 'autre fichier', 'autres fichiers')]),
  ];
}

const isOne = ({ files: named, pages, others }: StaleFacts): boolean => named.length + pages + others === 1;

/** What is old, as main clauses. */
function facts(old: StaleFacts): readonly string[] {
  const { isMissing, isCommit, expected, found, unchanged } = old;
  const differing = files(old);
  const missing = isOne(old) ? 'manque' : 'manquent';
  const differ = isMissing
    ? missing
    : `${isOne(old) ? 'diffère' : 'diffèrent'} ${isCommit ? 'du commit' : 'de la source'}`;
  return [
    ...(differing.length === 0 ? [] : [`${listed(differing)} ${differ}`]),
    ...(expected === null
      ? []
      : [found === null ? `${expected} n’est pas en ligne` : `${found} est en ligne, et non ${expected}`]),
    ...(unchanged ? ['le bundle du moteur n’a pas changé'] : []),
  ];
}

function still(old: StaleFacts): string {
  const { isMissing, expected, found, unchanged } = old;
  const differing = files(old);
  const missing = isOne(old) ? 'manque encore' : 'manquent encore';
  const state = isMissing ? missing : `${isOne(old) ? 'est' : 'sont'} encore dans l’ancienne version`;
  const all = [
    ...(differing.length === 0 ? [] : [`${listed(differing)} ${state}`]),
    ...(expected === null
      ? []
      : [found === null ? `${expected} n’est pas encore en ligne` : `${found} est encore en ligne`]),
    ...(unchanged ? ['le bundle du moteur n’a pas encore changé'] : []),
  ];
  return all.length === 0 ? '' : `\u00a0: ${all.join('\u00a0; ')}`;
}

const BOTH = {
  'in-turn': 'tantôt dans l’ancienne version, tantôt dans la nouvelle',
  'at-once': 'dans l’ancienne et la nouvelle version à la fois',
} as const;

export const waitingMessages: WaitingMessages = {
  starting: () => 'première demande',
  noAnswer: (reason) => `en attente d’une réponse\u00a0: ${reason}`,
  refused: (status) =>
    status === 429
      ? 'demandes plus espacées\u00a0: l’hébergeur répond 429'
      : `demandes plus espacées\u00a0: l’hébergeur répond ${status} à tout`,
  old: (old) => `en attente de la nouvelle version${still(old)}`,
  partlyOld: (old) => `en attente de toute la nouvelle version${still(old)}`,
  notKnown: (why) =>
    `en attente de la nouvelle version, qui ne se distingue pas encore de l’ancienne\u00a0: ${why.join('\u00a0; ')}`,
  notWell: (ids) => `en attente que tout aille bien\u00a0: ${ids.join(', ')}`,
  lookingOn: () => 'du nouveau est là\u00a0: la suite est vérifiée',
  good: (count, wanted) => `tout va bien jusqu’ici\u00a0: bon tour ${count} sur ${wanted}`,
  whole: () => 'vérification de tout le site',
  timeUp: () => 'le temps est écoulé\u00a0: une dernière vérification pour le rapport',
  line: (what, { round, elapsedMs, forMs, pauseMs }) =>
    `${what} · tour ${round} · ${minutes(elapsedMs)} sur ${minutes(forMs)}${pauseMs === null ? '' : ` · le prochain dans ${toNext(pauseMs)}\u00a0s`}`,
  stale(old) {
    const all = facts(old);
    const versions = old.both === null ? 'dans l’ancienne version' : BOTH[old.both];
    return `sain, mais ${versions}${all.length === 0 ? '' : `\u00a0: ${all.join('\u00a0; ')}`}`;
  },
  unfinished: (old, why) =>
    why === 'stopped'
      ? `arrêté pendant l’attente${still(old)}`
      : `le temps est écoulé et tout n’a pas été vérifié${still(old)}`,
  clocks({ by, elapsedMs, rounds, firstNewMs, allNewMs, allGreenMs, alreadyLive }: Waited) {
    const isHealth = by === 'health';
    const live = isHealth ? 'sain' : 'en ligne';
    if (alreadyLive) return `déjà ${live} au début\u00a0: ${counted(rounds, 'tour', 'tours')} en ${time(elapsedMs)}`;
    const head =
      allGreenMs === null
        ? `pas encore ${live} après ${time(elapsedMs)} et ${counted(rounds, 'tour', 'tours')}`
        : `${live} après ${time(allGreenMs)}`;
    const clocks = [
      ...clock(isHealth ? 'première bonne réponse' : 'premier octet nouveau', firstNewMs),
      ...clock(isHealth ? 'tout bon' : 'tous les échantillons', allNewMs),
      ...clock(isHealth ? 'stable' : 'tout au vert', allGreenMs),
    ];
    return clocks.length === 0 ? head : `${head}\u00a0: ${clocks.join(', ')}`;
  },
};
