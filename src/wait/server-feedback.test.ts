import { describe, expect, it } from 'vitest';
import { noReply, reply } from '../../test/answers.ts';
import type { Answer } from '../check.ts';
import { serverFeedback } from './runs.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const answer = (status: number, retryAfter?: string, url = 'https://docs.example/x.md'): Answer =>
  reply('', { status, url, ...(retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }) });

const ROWS: readonly { name: string; answers: readonly Answer[]; refused: boolean; ms?: number }[] = [
  { name: 'nothing', answers: [], refused: false },
  { name: 'good answers', answers: [answer(200), answer(304), answer(302)], refused: false },
  { name: 'missing files', answers: [answer(404), answer(404)], refused: false },
  { name: '429', answers: [answer(200), answer(429)], refused: true },
  { name: '429 with a pause', answers: [answer(429, '30'), answer(429, '10')], refused: true, ms: 30_000 },
  { name: '429 with a date', answers: [answer(429, 'Sun, 01 Mar 2026 12:02:00 GMT')], refused: true, ms: 120_000 },
  { name: '429 with nonsense', answers: [answer(429, 'soon')], refused: true },
  { name: '503 by itself, as while a server starts', answers: [answer(503)], refused: false },
  { name: '503 with a pause', answers: [answer(503, '20')], refused: true, ms: 20_000 },
  { name: '403 for everything', answers: [answer(403), answer(403)], refused: true },
  { name: '401 for everything', answers: [answer(401)], refused: true },
  { name: '403 for a file that object storage does not have', answers: [answer(200), answer(403)], refused: false },
  { name: '429 of another host', answers: [answer(429, '60', 'https://other.example/')], refused: false },
  { name: 'no answers', answers: [noReply('refused')], refused: false },
];

describe('what the answers of a run say of how often to ask', () => {
  it.each(ROWS)('$name', ({ answers, refused, ms = 0 }) => {
    const feedback = serverFeedback('https://docs.example', () => NOW);
    for (const one of answers) feedback.add(one);
    expect(feedback.summary()).toMatchObject({ refused, retryAfterMs: ms });
  });

  it('a pause grows shorter as time passes', () => {
    let now = NOW;
    const feedback = serverFeedback('https://docs.example', () => now);
    feedback.add(answer(429, '30'));
    now += 12_000;
    expect(feedback.summary().retryAfterMs).toBe(18_000);
  });
});
