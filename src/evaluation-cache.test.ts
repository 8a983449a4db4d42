import { describe, expect, it } from 'vitest';
import { defaultChecks } from '../checks/index.ts';
import { named, noReply, reply, SHELL } from '../test/answers.ts';
import { fake, html, json, options, SITE, text, type Files } from '../test/runs.ts';
import { defineCheck, type Check, type RawFinding, type Gathered, type Reply } from './check.ts';
import { createEvaluationCache } from './evaluation-cache.ts';
import { runChecks } from './run.ts';

type Evaluate = (gathered: Gathered) => readonly RawFinding[];

const CHECK: Check = defineCheck({
  id: 'one',
  target: 'file',
  rules: {},
  gather: () => Promise.resolve({ answer: null }),
  evaluate: () => Promise.resolve([]),
});

const type: Evaluate = ({ answer }) => [
  { rule: 'said', evidence: { type: (answer as Reply).headers.get('Content-Type') } },
];

/** How often a judge is asked when these are evaluated in turn. */
async function asked(evaluate: Evaluate, ...all: readonly Gathered[]): Promise<number> {
  const memory = createEvaluationCache();
  let count = 0;
  for (const gathered of all) {
    await memory.evaluate(CHECK, gathered, async (shown) => {
      count += 1;
      return evaluate(shown);
    });
  }
  return count;
}

const of = (...facts: Parameters<typeof reply>): Gathered => ({ answer: reply(...facts) });

describe('what counts as the same', () => {
  it.each<[string, Gathered, Gathered]>([
    ['the same bytes', of('a'), of('a')],
    ['a header that the judge did not read', of('a'), of('a', { headers: { date: 'now' } })],
    ['a slower answer', of('a'), { answer: { ...reply('a'), timings: { ...reply('a').timings, totalMs: 900 } } }],
    ['an answer of the second attempt', of('a'), { answer: { ...reply('a'), attempts: 2 } }],
    ['an answer of another address', of('a'), { answer: { ...reply('a'), address: '192.0.2.2' } }],
    ['the same file of a setting', named('homePage', reply('a'), 'x.md'), named('homePage', reply('a'), 'x.md')],
  ])('%s', async (_name, before, now) => {
    expect(await asked(type, before, now)).toBe(1);
  });

  it.each<[string, Gathered, Gathered]>([
    ['other bytes', of('a'), of('b')],
    ['another status', of('a'), of('a', { status: 404 })],
    ['another URL', of('a'), of('a', { url: 'https://docs.example/other' })],
    [
      'a redirect',
      of('a'),
      of('a', { redirects: [{ url: 'https://docs.example/x', status: 301, location: '/file' }] }),
    ],
    ['a header that the judge read', of('a'), of('a', { contentType: 'text/html' })],
    ['a header that is there no more', of('a'), of('a', { contentType: null })],
    ['a header that came twice', of('a'), of('a', { contentType: ['text/markdown', 'text/html'] })],
    ['another value of the setting', named('homePage', reply('a'), 'x.md'), named('homePage', reply('a'), 'y.md')],
    ['another bundle', named('homePage', reply('a')), named('homePage', reply('a'), undefined, reply('<p>'))],
    ['no bundle', named('homePage', reply('a')), named('homePage', reply('a'), undefined, noReply('reset'))],
    ['no answer, twice', { answer: noReply('reset') }, { answer: noReply('reset') }],
  ])('not %s', async (_name, before, now) => {
    const evaluate: Evaluate = (gathered) => (gathered.answer?.kind === 'reply' ? type(gathered) : []);
    expect(await asked(evaluate, before, now)).toBe(2);
  });

  it('a second header list, where the judge asks which headers there are', async () => {
    const names: Evaluate = ({ answer }) => [{ rule: 'said', evidence: { names: (answer as Reply).headers.names() } }];
    expect(await asked(names, of('a'), of('a'))).toBe(1);
    expect(await asked(names, of('a'), of('a', { headers: { etag: '1' } }))).toBe(2);
  });

  it.each<[string, Evaluate]>([
    ['how long it took', ({ answer }) => [{ rule: 'said', evidence: { durationMs: answer?.timings.totalMs ?? 0 } }]],
    ['how often it was tried', ({ answer }) => [{ rule: 'said', evidence: { attempts: answer?.attempts ?? 0 } }]],
    ['everything', ({ answer }) => [{ rule: 'said', evidence: { kind: { ...(answer as Reply) }.kind } }]],
    ['nothing, for lack of time', () => [{ rule: 'parse-limit' }]],
    ['nothing, since the run ended', () => [{ rule: 'interrupted' }]],
    ['what is too long to be kept', () => [{ rule: 'said', evidence: { text: 'x'.repeat(10_000) } }]],
  ])('nothing, where the judge looked at %s', async (_name, evaluate) => {
    expect(await asked(evaluate, of('a'), of('a'))).toBe(2);
  });

  it('not what another check saw', async () => {
    const memory = createEvaluationCache();
    const said = await Promise.all(
      [CHECK, { ...CHECK, id: 'two' }].map((check) =>
        memory.evaluate(check, of('a'), async () => [{ rule: check.id }]),
      ),
    );
    expect(said).toEqual([[{ rule: 'one' }], [{ rule: 'two' }]]);
  });
});

describe('the memory', () => {
  it('forgets what was not asked for the longest', async () => {
    // Two judgements without anything to say.
    const memory = createEvaluationCache(1_500);
    const evaluated: string[] = [];
    for (const body of ['a', 'b', 'a', 'c', 'a', 'b']) {
      await memory.evaluate(CHECK, of(body), async () => {
        evaluated.push(body);
        return [];
      });
    }
    expect(evaluated).toEqual(['a', 'b', 'c', 'b']);
  });

  it('counts what judges said and saw, not only how often', async () => {
    const memory = createEvaluationCache(20_000);
    let count = 0;
    const long: readonly RawFinding[] = [{ rule: 'said', evidence: { text: 'x'.repeat(3_000) } }];
    for (const body of ['a', 'b', 'c', 'd', 'a']) {
      await memory.evaluate(CHECK, of(body), async () => {
        count += 1;
        return long;
      });
    }
    expect(count).toBe(5);
  });

  it('hands a judge everything that there is to see', async () => {
    const gathered = named('homePage', reply('a', { headers: { etag: '"1"' } }), 'x.md');
    const memory = createEvaluationCache();
    await memory.evaluate(CHECK, gathered, async (shown) => {
      expect(shown).toMatchObject({ setting: 'homePage', value: 'x.md' });
      const answer = shown.answer as Reply;
      expect({ ...answer, headers: null }).toEqual({ ...gathered.answer, headers: null });
      expect([answer.headers.get('ETag'), answer.headers.all('etag'), answer.headers.names()]).toEqual([
        '"1"',
        ['"1"'],
        ['content-type', 'etag'],
      ]);
      return [];
    });
  });
});

describe('the five, round after round', () => {
  const shellFor = { '/navigation.md': html(SHELL), '/llms.txt': html(SHELL) };
  const sites: readonly Files[] = [
    SITE,
    { ...SITE, '/config.json': text('{"homePage": "other.md",}') },
    { ...SITE, '/config.json': json({ homePage: 'other.md' }) },
    { ...SITE, '/config.json': json({ homePage: 'other.md' }), '/other.md': '# Other\n' },
    { ...SITE, ...shellFor },
    { ...SITE, '/index.html': noReply('reset') },
    { ...SITE, '/index.md': reply('# Home\n', { contentType: 'application/octet-stream' }) },
    { ...SITE, '/llms.txt': text('') },
    SITE,
  ];

  it('tell the same with a memory as without', async () => {
    const memory = createEvaluationCache();
    for (const files of [...sites, ...sites.toReversed()]) {
      const { get } = fake(files);
      const [known, again] = await Promise.all([
        runChecks(options(get, { checks: defaultChecks, memory })),
        runChecks(options(get, { checks: defaultChecks })),
      ]);
      expect(known).toEqual(again);
    }
  });
});
