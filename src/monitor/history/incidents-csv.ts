import { incidentDocument } from '../incident/document.ts';
import type { Incident } from '../incident/incident.ts';
import { csv } from './csv.ts';

const COLUMNS = [
  'id',
  'site',
  'verdict',
  'checks',
  'codes',
  'startedAt',
  'detectedAt',
  'notifiedAt',
  'recoveredAt',
  'durationMs',
  'objectiveMs',
  'objectiveMet',
] as const;

/** The keys of the JSON as columns; lists with spaces between. The version of a suspected deploy stands behind them. */
export function incidentsCsv(incidents: readonly Incident[]): string {
  const rows = incidents.map((incident) => {
    const document = incidentDocument(incident);
    const cells = COLUMNS.map((column) => {
      const value = document[column];
      return typeof value === 'object' && value !== null ? value.join(' ') : value;
    });
    return [...cells, document.deploy?.version ?? null, incident.flapping];
  });
  return csv([...COLUMNS, 'deploy', 'flapping'], rows);
}
