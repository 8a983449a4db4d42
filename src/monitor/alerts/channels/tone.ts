/** How loud an alert is, for services that have colours, signs or priorities. Pure. */
import type { Message } from '../message.ts';

export type Tone = 'critical' | 'warning' | 'notice' | 'good';

export function toneOf({ event, incident }: Pick<Message, 'event' | 'incident'>): Tone {
  if (event === 'recovered') return 'good';
  if (incident.verdict === 'down') return 'critical';
  return incident.verdict === 'degraded' ? 'warning' : 'notice';
}

export const SIGNS: Readonly<Record<Tone, string>> = { critical: '🔴', warning: '🟠', notice: '🟡', good: '🟢' };
