import { counted as inWords } from '../../messages/counted-ro.ts';
import { numberIn } from '../../messages/number.ts';
import type { Words } from '../words.ts';

const number = (count: number): string => numberIn('ro', count);
const counted = (count: number, one: string, many: string): string => inWords(count, one, many, number(count));

export const words: Words = {
  status: 'Stare',
  check: 'Verificare',
  target: 'Țintă',
  time: 'Timp',
  findings: 'Constatări',
  skipped: 'Omise',
  seen: 'Ce s-a văzut',
  also: 'și la',
  advice: 'Ce este de făcut:',
  fresh: (isFresh) =>
    isFresh ? 'Versiunea așteptată este publicată.' : 'Ce este publicat nu este versiunea așteptată.',
  more: (count) => `… și încă ${number(count)}`,
  leftOut({ findings, checks, whole }) {
    const what = [
      ...(findings === 0 ? [] : [counted(findings, 'constatare', 'constatări')]),
      ...(checks === 0 ? [] : [counted(checks, 'rând al tabelului', 'rânduri ale tabelului')]),
      ...(findings + checks === 0 ? ['ce s-a văzut'] : []),
    ].join(' și ');
    const where = whole === null ? 'docvitals check cu --format json arată tot.' : `Raportul întreg: ${whole}`;
    return `Prea lung pentru acest loc; au rămas deoparte: ${what}. ${where}`;
  },
  cutLines: (count) => `… încă ${counted(count, 'rând lăsat', 'rânduri lăsate')} deoparte; --format json arată tot.`,
};
