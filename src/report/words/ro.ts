import type { Words } from '../words.ts';

const plural = new Intl.PluralRules('ro');
const number = (count: number): string => new Intl.NumberFormat('ro').format(count);

/** `1 rând`, `2 rânduri`, `20 de rânduri`. */
function counted(count: number, one: string, many: string): string {
  const form = plural.select(count);
  if (form === 'one') return `${number(count)} ${one}`;
  return `${number(count)} ${form === 'few' ? '' : 'de '}${many}`;
}

export const words: Words = {
  status: 'Stare',
  check: 'Verificare',
  target: 'Țintă',
  time: 'Timp',
  findings: 'Constatări',
  skipped: 'Omise',
  seen: 'Ce s-a văzut',
  also: 'și la',
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
