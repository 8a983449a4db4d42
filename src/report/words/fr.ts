import { isOneInFrench, numberIn } from '../../messages/number.ts';
import type { Words } from '../words.ts';

const number = (count: number): string => numberIn('fr', count);
const counted = (count: number, one: string, many: string): string =>
  `${number(count)} ${isOneInFrench(count) ? one : many}`;

export const words: Words = {
  status: 'État',
  check: 'Vérification',
  target: 'Cible',
  time: 'Temps',
  findings: 'Constats',
  skipped: 'Omises',
  seen: 'Ce qui a été vu',
  also: 'aussi à',
  advice: 'Que faire :',
  fresh: (isFresh) =>
    isFresh ? 'La version attendue est en ligne.' : 'Ce qui est en ligne n’est pas la version attendue.',
  more: (count) => `… et ${number(count)} de plus`,
  leftOut({ findings, checks, whole }) {
    const what = [
      ...(findings === 0 ? [] : [counted(findings, 'constat', 'constats')]),
      ...(checks === 0 ? [] : [counted(checks, 'ligne du tableau', 'lignes du tableau')]),
      ...(findings + checks === 0 ? ['ce qui a été vu'] : []),
    ].join(' et ');
    const where = whole === null ? 'docvitals check avec --format json montre tout.' : `Le rapport complet : ${whole}`;
    return `Trop long pour cet endroit, donc laissé de côté : ${what}. ${where}`;
  },
  cutLines: (count) =>
    `… ${counted(count, 'ligne de plus laissée', 'lignes de plus laissées')} de côté ; --format json montre tout.`,
};
