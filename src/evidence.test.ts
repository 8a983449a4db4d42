import { expect, it } from 'vitest';
import { presentable } from './evidence.ts';

it('bounds what a report tells', () => {
  const evidence = {
    text: 'x'.repeat(9_000_000),
    list: Array.from({ length: 1000 }, () => ({ deep: 'y'.repeat(600) })),
  };
  const told = presentable({ code: 'a', evidence }, []).evidence;
  expect(told['text']).toBe(`${'x'.repeat(500)}…`);
  expect(told['list']).toEqual(Array.from({ length: 20 }, () => ({ deep: `${'y'.repeat(500)}…` })));
});

it('hides what was sent in confidence, wherever it comes back', () => {
  const excerpt = { firstLine: 1, lines: ['{ "token": "s3cret-token" }'] };
  const draft = {
    code: 'a',
    evidence: { firstBytes: 'bad s3cret-token, 7', hops: [{ to: '/?k=s3cret-token' }] },
    excerpt,
  };
  const told = presentable(draft, ['s3cret-token', '7']);
  expect(JSON.stringify(told)).not.toContain('s3cret-token');
  expect(told.evidence['firstBytes']).toBe('bad [hidden], 7');
});
