import type { HistoryWords } from './words.ts';

export const words: HistoryWords = {
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
  nobodyNotified: 'nobody was told',
  notifiedWith: (incident) => `see ${incident}, which has the same cause`,
  open: (duration) => `open for ${duration}`,
  limited: (count) => `The newest ${count}; --limit tells more.`,
};
