import type { HistoryWords } from './words.ts';

export const words: HistoryWords = {
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
