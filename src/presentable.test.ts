import { expect, it } from 'vitest';
import type { RawFinding } from './check.ts';
import { presentable } from './run.ts';

it('bounds what a report reports', () => {
  const evidence = {
    text: 'x'.repeat(9_000_000),
    list: Array.from({ length: 1000 }, () => ({ deep: 'y'.repeat(600) })),
  };
  const reported = presentable({ rule: 'a', evidence }, []).evidence;
  expect(reported['text']).toBe(`${'x'.repeat(500)}…`);
  expect(reported['list']).toEqual(Array.from({ length: 20 }, () => ({ deep: `${'y'.repeat(500)}…` })));
});

it('hides what was sent in confidence, wherever it comes back', () => {
  const excerpt = { firstLine: 1, lines: ['{ "token": "s3cret-token" }'] };
  const finding = {
    rule: 'a',
    evidence: { firstBytes: 'bad s3cret-token, 7', files: [{ location: '/?k=s3cret-token' }] },
    excerpt,
  };
  const reported = presentable(finding, ['s3cret-token', '7']);
  expect(JSON.stringify(reported)).not.toContain('s3cret-token');
  expect(reported.evidence['firstBytes']).toBe('bad [hidden], 7');
});

it('hides it in places, too, and bounds those', () => {
  const location = { path: `s3cret-token/${'a'.repeat(4000)}.md`, line: 1, column: 1 };
  const finding = { rule: 'a', location, locations: Array.from({ length: 200 }, () => location) };
  const reported: RawFinding = presentable<RawFinding>(finding, ['s3cret-token']);
  expect(JSON.stringify(reported)).not.toContain('s3cret-token');
  expect([reported.location?.path.length, reported.locations?.length]).toEqual([501, 100]);
});

it.each([
  ['in other letter case', `no entry for S3CRET-TOKEN`],
  ['cut off at its end', `${'x'.repeat(50)} Bearer s3cret-tok…`],
  ['cut off without a mark', `${'x'.repeat(60)} s3cret-to`],
  ['cut off at its beginning', '…et-token", and so on'],
])('hides a secret that comes back %s', (_name, text) => {
  const reported = presentable({ rule: 'a', evidence: { text } }, ['s3cret-token']).evidence.text;
  expect(reported).toContain('[hidden]');
  expect(reported.toLowerCase()).not.toMatch(/s3cret|et-token/);
});

it('hides no word that only begins like a secret', () => {
  const reported = presentable({ rule: 'a', evidence: { url: 'https://docs.example/docs' } }, ['docs-token']);
  expect(reported.evidence['url']).toBe('https://docs.example/docs');
});
