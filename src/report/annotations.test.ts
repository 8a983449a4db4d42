import { describe, expect, it } from 'vitest';
import { HOSTILE_ROWS, hostileReport } from '../../test/reports/hostile.ts';
import { finding, reportOf } from '../../test/reports.ts';
import type { CheckResult, Finding, Location } from '../check.ts';
import { LANGUAGES, loadTexts } from '../texts.ts';
import { annotationsOf, type Annotation } from './github.ts';
import type { ReportOptions } from './formats.ts';
import { LOCATE_NOTHING, type Locate } from './location.ts';
import { locateInDocs as inDocs } from '../../test/reports/samples.ts';
import { messagesIn } from '../locales/messages.ts';

const texts = await loadTexts('en');
const messages = messagesIn('en');
const options = (locate: Locate = LOCATE_NOTHING): ReportOptions => ({
  texts,
  messages,
  columns: 80,
  colour: false,
  detail: 'normal',
  locate,
});

const stale: Locate = ({ path }) => ({ file: `docs/${path}`, line: null, column: null });
const at = (path: string, line: number, column = 1): Location => ({ path, line, column });

const annotated = (checks: readonly Partial<CheckResult>[], locate?: Locate): readonly Annotation[] =>
  annotationsOf(reportOf(checks), options(locate));

const missing = (path: string, line: number, target: string): Finding =>
  finding({ rule: 'missing', evidence: { target }, location: at(path, line) });

describe('annotationsOf', () => {
  it('has one for each check and code, with the count, where no place is known in the repository', () => {
    const found = [missing('a.md', 3, 'x.md'), finding({ rule: 'moved' }), missing('b.md', 7, 'y.md')];
    const [first, second, ...others] = annotated([{ id: 'links', findings: found }]);
    expect(first).toMatchObject({ level: 'error', location: null });
    expect(first?.title).toMatch(/^links\/missing ×2 /);
    expect(first?.message).toMatch(/\na\.md:3:1 · Link target: x\.md\nb\.md:7:1 · Link target: y\.md\n/);
    expect(second?.title).toMatch(/^links\/moved /);
    expect(second?.location).toBeNull();
    expect(others).toEqual([]);
  });

  it.each([
    { name: 'a line', locate: inDocs, place: { file: 'docs/config.json', line: 3, column: 9 } },
    { name: 'another version', locate: stale, place: { file: 'docs/config.json', line: null, column: null } },
    { name: 'not known', locate: LOCATE_NOTHING, place: null },
  ])('$name', ({ locate, place }) => {
    const found = finding({ rule: 'trailing-comma', location: at('config.json', 3, 9) });
    expect(annotated([{ findings: [found] }], locate)[0]?.location).toEqual(place);
  });

  it('is at the file that the evidence names, without a line, where there is no place', () => {
    const found = finding({ rule: 'stale', evidence: { path: 'guide.md' } });
    expect(annotated([{ id: 'source', findings: [found] }], inDocs)[0]?.location).toEqual({
      file: 'docs/guide.md',
      line: null,
      column: null,
    });
  });

  it('is at the first file that is old, where new and old ones are mixed', () => {
    const found = finding({ rule: 'mixed', evidence: { old: ['a.md', 'b.md'], new: ['c.md'] } });
    expect(annotated([{ id: 'source', findings: [found] }], inDocs)[0]?.location?.file).toBe('docs/a.md');
  });

  it('prefers the first finding whose line is known', () => {
    const some: Locate = (location) => (location.path === 'b.md' ? inDocs(location) : null);
    const found = [missing('a.md', 3, 'x.md'), missing('b.md', 7, 'y.md')];
    expect(annotated([{ id: 'links', findings: found }], some)[0]?.location).toMatchObject({
      file: 'docs/b.md',
      line: 7,
    });
  });

  it('reports the further locations of a finding, in the repository where they are known', () => {
    const locations = [at('a.md', 3), at('a.md', 3), at('b.md', 7, 2)];
    const found = finding({ rule: 'missing', location: at('a.md', 3), locations });
    const rules = Array.from({ length: 9 }, (_, index) => finding({ rule: `code-${index}` }));
    const message = annotated([{ id: 'links', findings: [found, ...rules] }], inDocs)[0]?.message;
    expect(message).toContain('\ndocs/a.md:3:1, docs/b.md:7:2\n');
  });

  it.each([
    { grade: 'error', level: 'error' },
    { grade: 'warning', level: 'warning' },
    { grade: 'unknown', level: 'warning' },
    { grade: 'info', level: undefined },
  ] as const)('$grade: $level', ({ grade: severity, level }) => {
    expect(annotated([{ findings: [finding({ severity })] }])[0]?.level).toBe(level);
  });

  it('separates the errors of a code from its warnings', () => {
    const findings = [finding({ severity: 'warning' }), finding(), finding({ severity: 'info' })];
    expect(annotated([{ findings }]).map(({ level }) => level)).toEqual(['error', 'warning']);
  });

  it('has errors before warnings', () => {
    const levels = annotated([
      { id: 'bundle', findings: [finding({ severity: 'warning' })] },
      { id: 'config', findings: [finding()] },
    ]).map(({ level }) => level);
    expect(levels).toEqual(['error', 'warning']);
  });

  it('keeps ten of a level, at least one of each check, and reports how many findings are left out', () => {
    const many = Array.from({ length: 12 }, (_, index) => finding({ rule: `code-${index}` }));
    const checks = [
      { id: 'bundle', findings: many },
      { id: 'config', findings: [finding()] },
      { id: 'home', findings: [finding(), finding(), finding({ rule: 'other' })] },
    ];
    const annotations = annotated(checks);
    expect(annotations.map(({ title }) => title.split(/ [×·]/)[0])).toEqual([
      ...many.slice(0, 7).map(({ rule }) => `bundle/${rule}`),
      'config/syntax',
      'home/syntax',
      'home/other',
    ]);
    expect(annotations.map(({ message }) => message.includes('… and '))).toEqual([
      ...Array<boolean>(9).fill(false),
      true,
    ]);
    expect(annotations.at(-1)?.message).toContain('… and 5 more');
  });

  it('reports one cause of all checks once', () => {
    const refused = finding({ rule: 'refused', severity: 'error', evidence: { port: 80 } });
    const [first, ...others] = annotated(
      [
        { id: 'bundle', findings: [refused] },
        { id: 'config', findings: [refused] },
        { id: 'home', status: 'skip' },
      ],
      inDocs,
    );
    expect(first).toMatchObject({ level: 'error', location: null });
    expect(first?.title).toMatch(/^bundle\/refused · /);
    expect(first?.message).toContain('Port: 80');
    expect(others).toEqual([]);
  });

  it('has none for a healthy site', () => {
    expect(
      annotated([{ status: 'pass' }, { id: 'home', status: 'pass', findings: [finding({ severity: 'info' })] }]),
    ).toEqual([]);
  });

  it('stays within what the runner keeps of a message, and keeps the fix', () => {
    const long = Array.from({ length: 500 }, (_, index) =>
      missing(`${'p'.repeat(400)}${index}.md`, index + 1, 'x'.repeat(400)),
    );
    const annotations = annotated([{ id: 'links', findings: long }], inDocs);
    for (const { message } of annotations) {
      expect(message.length).toBeLessThanOrEqual(4096);
      expect(message).toContain(`\n${messages.fix} `);
    }
    expect(annotations.map(({ title }) => /×(\d+)/.exec(title)?.[1])).toEqual([
      ...Array<undefined>(9).fill(undefined),
      '491',
    ]);
  });

  it.each(HOSTILE_ROWS)('$name: lines without commands, and of bounded length', ({ text }) => {
    for (const locate of [LOCATE_NOTHING, inDocs]) {
      for (const { title, message } of annotationsOf(hostileReport(text), options(locate))) {
        expect(title.length).toBeLessThanOrEqual(255);
        expect(message.length).toBeLessThanOrEqual(4096);
        expect(`${title}\n${message}`).not.toMatch(/^\s*::|##\[|[^\P{C}\n]|[\p{Zl}\p{Zp}]/mu);
      }
    }
  });

  it.each(LANGUAGES)('speaks %s', async (language) => {
    const own = { ...options(), texts: await loadTexts(language), messages: messagesIn(language) };
    const [annotation] = annotationsOf(reportOf([{ findings: [finding()] }]), own);
    const text = own.texts.finding('config', 'syntax');
    expect(annotation?.message).toContain(text?.problem);
    expect(annotation?.message).toContain(`${own.messages.fix} ${text?.fix}`);
    expect(annotation?.title).toContain(own.texts.check('config')?.title);
  });
});
