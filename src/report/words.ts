import type { Severity } from '../check.ts';
import type { Messages } from '../messages/messages.ts';
import type { Language, Texts } from '../texts.ts';
import { numberIn, isOneInFrench } from '../messages/number.ts';
import { counted as inWords } from '../messages/counted-ro.ts';

/** The words of the reports that machines and reviewers read (Markdown, JUnit, TAP) and that the terminal does not need. */

/** What a report without room for everything leaves out. */
export interface LeftOut {
  /** Findings that are not in it. */
  readonly findings: number;
  /** Rows of the table of checks that are not in it. */
  readonly checks: number;
  /** Where the whole report is, already fit for the output, e.g. a file's name; `null`: in no file. */
  readonly whole: string | null;
}

/** Every word exists in all languages. */
export interface Words {
  /** Headings of the table of checks. */
  readonly status: string;
  readonly check: string;
  readonly target: string;
  readonly time: string;
  /** Headings of what follows it. */
  readonly findings: string;
  readonly skipped: string;
  readonly seen: string;
  /** Before further places of one finding. */
  readonly also: string;
  /** Before what to do where nothing is to be fixed: of what is good to know, or could not be reported. */
  readonly advice: string;
  fresh(isFresh: boolean): string;
  /** Findings of one code, or places, that are not shown. */
  more(count: number): string;
  leftOut(left: LeftOut): string;
  /** Lines of a text that are not shown. */
  cutLines(count: number): string;
}

/** What stands before a fix. */
export function adviceWord(
  severity: Severity,
  { texts, messages }: { readonly texts: Pick<Texts, 'language'>; readonly messages: Pick<Messages, 'fix'> },
): string {
  return severity === 'error' || severity === 'warning' ? messages.fix : wordsIn(texts.language).advice;
}

const numberEn = (count: number): string => numberIn('en', count);
const countedEn = (count: number, one: string, many: string): string =>
  `${numberEn(count)} ${count === 1 ? one : many}`;

const en: Words = {
  status: 'Status',
  check: 'Check',
  target: 'Target',
  time: 'Time',
  findings: 'Findings',
  skipped: 'Skipped',
  seen: 'What was seen',
  also: 'also at',
  advice: 'What to do:',
  fresh: (isFresh) => (isFresh ? 'The expected version is live.' : 'What is live is not the expected version.'),
  more: (count) => `… and ${numberEn(count)} more`,
  leftOut({ findings, checks, whole }) {
    const what = [
      ...(findings === 0 ? [] : [countedEn(findings, 'finding', 'findings')]),
      ...(checks === 0 ? [] : [countedEn(checks, 'row of the table', 'rows of the table')]),
      ...(findings + checks === 0 ? ['what was seen'] : []),
    ].join(' and ');
    const where =
      whole === null ? 'docvitals check with --format json shows everything.' : `The whole report: ${whole}`;
    return `Too long for this place, so left out: ${what}. ${where}`;
  },
  cutLines: (count) => `… ${countedEn(count, 'line', 'lines')} more left out; --format json shows everything.`,
};

const numberRo = (count: number): string => numberIn('ro', count);
const countedRo = (count: number, one: string, many: string): string => inWords(count, one, many, numberRo(count));

const ro: Words = {
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
  more: (count) => `… și încă ${numberRo(count)}`,
  leftOut({ findings, checks, whole }) {
    const what = [
      ...(findings === 0 ? [] : [countedRo(findings, 'constatare', 'constatări')]),
      ...(checks === 0 ? [] : [countedRo(checks, 'rând al tabelului', 'rânduri ale tabelului')]),
      ...(findings + checks === 0 ? ['ce s-a văzut'] : []),
    ].join(' și ');
    const where = whole === null ? 'docvitals check cu --format json arată tot.' : `Raportul întreg: ${whole}`;
    return `Prea lung pentru acest loc; au rămas deoparte: ${what}. ${where}`;
  },
  cutLines: (count) => `… încă ${countedRo(count, 'rând lăsat', 'rânduri lăsate')} deoparte; --format json arată tot.`,
};

const numberFr = (count: number): string => numberIn('fr', count);
const countedFr = (count: number, one: string, many: string): string =>
  `${numberFr(count)} ${isOneInFrench(count) ? one : many}`;

const fr: Words = {
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
  more: (count) => `… et ${numberFr(count)} de plus`,
  leftOut({ findings, checks, whole }) {
    const what = [
      ...(findings === 0 ? [] : [countedFr(findings, 'constat', 'constats')]),
      ...(checks === 0 ? [] : [countedFr(checks, 'ligne du tableau', 'lignes du tableau')]),
      ...(findings + checks === 0 ? ['ce qui a été vu'] : []),
    ].join(' et ');
    const where = whole === null ? 'docvitals check avec --format json montre tout.' : `Le rapport complet : ${whole}`;
    return `Trop long pour cet endroit, donc laissé de côté : ${what}. ${where}`;
  },
  cutLines: (count) =>
    `… ${countedFr(count, 'ligne de plus laissée', 'lignes de plus laissées')} de côté ; --format json montre tout.`,
};

const WORDS: Readonly<Record<Language, Words>> = { en, ro, fr };

/** The words of one language. */
export function wordsIn(language: Language): Words {
  return WORDS[language];
}
