import { counted } from '../../../messages/counted-ro.ts';
import type { HistoryWords } from './words.ts';

export const words: HistoryWords = {
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
