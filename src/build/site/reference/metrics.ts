/** The metrics: docvitals' own from their catalogue, those of the process from the library that measures them. */
import { parse } from 'yaml';
import { processMetrics } from '../../../monitor/server/metrics.ts';
import { readSource } from '../../output.ts';
import { code, prose, table, type Parts } from './markdown.ts';
import type { Entry, Words } from './words.ts';

/** A metric of the catalogue. */
interface Metric extends Pick<Entry, 'en'> {
  readonly section: string;
  /** Default: gauge. */
  readonly type?: string;
  readonly labels?: readonly string[];
}

export async function ownMetrics(): Promise<Readonly<Record<string, Metric>>> {
  return parse(await readSource('src/locales/metrics.yaml')) as Readonly<Record<string, Metric>>;
}

export async function metricsParts(words: Words): Promise<Parts> {
  const own = Object.entries(await ownMetrics()).map(([name, metric]) => ({ ...metric, name }));
  // Their labels differ between versions of Node.
  const ofProcess = processMetrics()
    .getMetricsAsArray()
    .map(({ name, type, help }) => ({ section: 'process', name, type: String(type), labels: [], en: help }));
  const head = [words('Metric'), words('Type'), words('Labels'), words('Description')];
  const sections = Map.groupBy([...own, ...ofProcess], ({ section }) => section);
  const tables = [...sections].map(([section, metrics]) => {
    const rows = metrics.map(({ name, type = 'gauge', labels = [], en }) => {
      return [code(name), type, labels.map(code).join(', '), prose(words(en))];
    });
    return [section, table(head, rows)];
  });
  return Object.fromEntries(tables) as Parts;
}
