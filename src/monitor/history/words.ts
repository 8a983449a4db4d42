import { counted } from '../../messages/counted-ro.ts';
import type { Language } from '../../texts.ts';

/** What `docvitals history` and `docvitals incidents` say, in one language, beside what alerts and reports say as well. */
export interface HistoryWords {
  /** Above the columns, in capitals. Times are UTC. */
  readonly columns: {
    readonly time: string;
    readonly up: string;
    readonly rounds: string;
    readonly mean: string;
    readonly p95: string;
    readonly slowest: string;
    readonly verdict: string;
    readonly duration: string;
    readonly findings: string;
  };
  /** Instead of a verdict, or behind one. */
  readonly maintenance: string;
  /** A run of the whole site. */
  readonly wholeSite: string;
  /** Nothing is kept of the site, or nothing of that time. */
  noHistory(site: string): string;
  readonly noIncidents: string;
  readonly noOpenIncidents: string;
  /** Behind the time at which something happened: since an incident began. */
  after(duration: string): string;
  readonly nobodyNotified: string;
  /** It is reported with another incident that has the same cause. */
  notifiedWith(incident: string): string;
  /** Of an incident that goes on. */
  open(duration: string): string;
  /** There may be more. */
  limited(count: number): string;
}

const en: HistoryWords = {
  columns: {
    time: 'TIME (UTC)',
    up: 'UP',
    rounds: 'ROUNDS',
    mean: 'MEAN',
    p95: 'P95',
    slowest: 'SLOWEST',
    verdict: 'VERDICT',
    duration: 'TOOK',
    findings: 'FINDINGS',
  },
  maintenance: 'maintenance',
  wholeSite: 'whole site',
  noHistory: (site) => `Nothing is kept of ${site} in that time.`,
  noIncidents: 'No incidents.',
  noOpenIncidents: 'No incident is open.',
  after: (duration) => `after ${duration}`,
  nobodyNotified: 'no one was notified',
  notifiedWith: (incident) => `see ${incident}, which has the same cause`,
  open: (duration) => `open for ${duration}`,
  limited: (count) => `The newest ${count}; --limit tells more.`,
};

const ro: HistoryWords = {
  columns: {
    time: 'ORA (UTC)',
    up: 'FUNCȚIONAL',
    rounds: 'RUNDE',
    mean: 'MEDIA',
    p95: 'P95',
    slowest: 'MAXIM',
    verdict: 'VERDICT',
    duration: 'DURATA',
    findings: 'CONSTATĂRI',
  },
  maintenance: 'mentenanță',
  wholeSite: 'tot site-ul',
  noHistory: (site) => `Despre ${site} nu s-a păstrat nimic din acel timp.`,
  noIncidents: 'Niciun incident.',
  noOpenIncidents: 'Niciun incident nu este deschis.',
  after: (duration) => `după ${duration}`,
  nobodyNotified: 'nu a fost anunțat nimeni',
  notifiedWith: (incident) => `vedeți ${incident}, care are aceeași cauză`,
  open: (duration) => `deschis de ${duration}`,
  limited: (count) => `Cele mai noi: ${counted(count, 'incident', 'incidente')}; --limit arată mai multe.`,
};

const fr: HistoryWords = {
  columns: {
    time: 'HEURE (UTC)',
    up: 'DISPONIBLE',
    rounds: 'TOURS',
    mean: 'MOYENNE',
    p95: 'P95',
    slowest: 'MAXIMUM',
    verdict: 'VERDICT',
    duration: 'DURÉE',
    findings: 'CONSTATS',
  },
  maintenance: 'maintenance',
  wholeSite: 'site entier',
  noHistory: (site) => `Rien n’est gardé sur ${site} pour cette période.`,
  noIncidents: 'Aucun incident.',
  noOpenIncidents: 'Aucun incident n’est ouvert.',
  after: (duration) => `après ${duration}`,
  nobodyNotified: 'personne n’a été averti',
  notifiedWith: (incident) => `voir ${incident}, qui a la même cause`,
  open: (duration) => `ouvert depuis ${duration}`,
  limited: (count) => `Les ${count} plus récents ; --limit en montre davantage.`,
};

const WORDS: Readonly<Record<Language, HistoryWords>> = { en, ro, fr };

/** The words of one language. */
export function historyWords(language: Language): HistoryWords {
  return WORDS[language];
}
