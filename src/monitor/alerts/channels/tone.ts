/** How loud an alert is, for services that have colours, signs or priorities. Pure. */
import type { Message } from '../message.ts';

export type Tone = 'critical' | 'warning' | 'notice' | 'good';

export function toneOf({ event, incident, goesOn }: Pick<Message, 'event' | 'incident' | 'goesOn'>): Tone {
  const verdict = event === 'recovered' ? goesOn : incident.verdict;
  if (verdict === null) return 'good';
  if (verdict === 'down') return 'critical';
  return verdict === 'degraded' ? 'warning' : 'notice';
}

export const SIGNS: Readonly<Record<Tone, string>> = { critical: '🔴', warning: '🟠', notice: '🟡', good: '🟢' };
