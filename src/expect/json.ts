import type { RawFinding, Reply } from '../check.ts';
import { excerpt, position } from '../parse/position.ts';
import { replyEvidence } from './reply.ts';

/** The finding for a body that would take too much time or memory to parse. */
export function parseLimit(reply: Reply, limit: 'time' | 'memory', limitMs: number) {
  return { rule: 'parse-limit', evidence: { ...replyEvidence(reply), limit, limitMs } } as const;
}

export function locatedAt(path: string, text: string, offset: number): Pick<RawFinding, 'location' | 'excerpt'> {
  const { line, column } = position(text, offset);
  return { location: { path, line, column }, excerpt: excerpt(text, offset, line) };
}
