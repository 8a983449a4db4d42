import { describe, expect, it } from 'vitest';
import { HOSTILE_ROWS, hostileReport } from '../../test/reports/hostile.ts';
import { readRunnerOutput } from '../../test/reports/runner.ts';
import { finding, reportOf } from '../../test/reports.ts';
import { LANGUAGES } from '../locales/language.ts';
import { loadTexts } from './texts.ts';
import { githubReport, logLine, workflowCommand, annotationsOf, type Annotation, sharesOf } from './github.ts';
import type { ReportOptions } from './formats.ts';
import { prettyReport } from './pretty.ts';
import { locateInDocs, optionsIn, locateInDocs as inDocs } from '../../test/reports/samples.ts';
import { messagesIn } from '../locales/messages.ts';
import type { CheckResult } from '../core/check.ts';
import type { Finding, Location } from '../core/finding.ts';
import { LOCATE_NOTHING, type Locate } from './location.ts';
import type { Group } from './groups.ts';

const options = await optionsIn('en', { columns: 100, colour: true });
const located: ReportOptions = {
  ...options,
  locate: locateInDocs,
};

const config = {
  findings: [finding({ rule: 'trailing-comma', location: { path: 'config.json', line: 3, column: 9 } })],
};
const bundle = { id: 'bundle', status: 'pass', target: 'GET /index.html' } as const;

const namesOf = (text: string): readonly string[] => readRunnerOutput(text).commands.map(({ name }) => name);

describe('githubReport', () => {
  it('annotates the place in the repository', () => {
    const { commands } = readRunnerOutput(githubReport(reportOf([config]), located));
    const error = commands.find(({ name }) => name === 'error');
    expect(error?.properties).toMatchObject({ file: 'docs/config.json', line: '3', col: '9' });
    expect(error?.properties['title']).toMatch(/^config\/trailing-comma /);
  });

  it('names no file where none is known', () => {
    const { commands } = readRunnerOutput(githubReport(reportOf([config]), options));
    expect(Object.keys(commands.find(({ name }) => name === 'error')?.properties ?? {})).toEqual(['title']);
  });

  it('folds what belongs to one check, and nothing that is one line', () => {
    const output = githubReport(reportOf([bundle, config]), options);
    expect(namesOf(output)).toEqual(['group', 'endgroup', 'error']);
    expect(readRunnerOutput(output).commands[0]?.data).toContain('GET /config.json');
  });

  it('reports what the terminal reports, without colour', () => {
    const report = reportOf([bundle, config, { id: 'home', status: 'skip', skipped: finding({ rule: 'no-answer' }) }]);
    const { log, commands } = readRunnerOutput(githubReport(report, options));
    const rows = commands.filter(({ name }) => name === 'group').map(({ data }) => data);
    const reported = new Set([...log, ...rows]);
    const lines = prettyReport(report, { ...options, colour: false }).split('\n');
    expect(lines.filter((line) => !reported.has(line))).toEqual([]);
  });

  it('ends with the verdict, and with one newline', () => {
    const output = githubReport(reportOf([config]), options);
    expect(output).toMatch(/\ndegraded: [^\n]*\n$/);
    expect(output).not.toMatch(/\n\n\n|^\n/);
  });

  it('reports one cause of all checks in the open, and annotates it once', () => {
    const refused = finding({ rule: 'refused' });
    const checks = ['bundle', 'config', 'home'].map((id) => ({ id, findings: [refused] }));
    const output = githubReport(reportOf(checks), options);
    expect(namesOf(output)).toEqual(['error']);
  });

  it('gives no command for a healthy site', () => {
    expect(namesOf(githubReport(reportOf([bundle], { verdict: 'healthy' }), options))).toEqual([]);
  });

  const plain = namesOf(githubReport(hostileReport('plain'), options));

  // A run cuts what a site says long before this.
  it.each(HOSTILE_ROWS.map(({ name, text }) => ({ name, text: text.slice(0, 5_000) })))(
    '$name: the same commands as of a plain text',
    ({ text }) => {
      const output = githubReport(hostileReport(text), options);
      expect(namesOf(output)).toEqual(plain);
      expect(output).not.toMatch(/##\[|[^\P{C}\n]|[\p{Zl}\p{Zp}]/u);
      const { commands } = readRunnerOutput(output);
      // The runner writes their messages into the log, which is read again by what shows it.
      expect(commands.filter(({ data }) => namesOf(data).length > 0)).toEqual([]);
    },
  );

  it.each(LANGUAGES)('speaks %s', async (language) => {
    const own = { ...options, texts: await loadTexts(language), messages: messagesIn(language) };
    const { commands } = readRunnerOutput(githubReport(reportOf([config]), own));
    expect(commands.at(-1)?.data).toContain(own.texts.finding('config', 'trailing-comma')?.problem);
  });
});

describe('workflowCommand', () => {
  it.each([
    { name: 'plain', properties: { file: 'docs/a.md', line: 3, title: 'links/missing ×2' }, data: 'gone' },
    { name: 'several lines', properties: { title: 'a' }, data: 'one\ntwo\r\nthree\r' },
    { name: 'what separates', properties: { file: 'a,b=c:d::e.md', title: ',:=::' }, data: '::x::y,z=1' },
    { name: 'percent signs', properties: { file: '100%.md', title: '%0A%3A%25' }, data: '%0A 100% %250D' },
    { name: 'nothing', properties: {}, data: '' },
    { name: 'another command', properties: { title: '::set-env name=A::b' }, data: '##[error]x' },
  ])('$name: the runner reads what was given', ({ properties, data }) => {
    const { commands, log } = readRunnerOutput(`${workflowCommand('error', properties, data)}\n`);
    const given = Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, String(value)]));
    expect(commands).toEqual([{ name: 'error', properties: given, data }]);
    expect(log).toEqual(['']);
  });

  it.each(HOSTILE_ROWS)('$name: one command, whatever it holds', ({ text }) => {
    const { commands } = readRunnerOutput(workflowCommand('warning', { title: text }, text));
    expect(commands.map(({ name, data }) => [name, data])).toEqual([['warning', text]]);
  });

  it('leaves out properties that are not known', () => {
    expect(workflowCommand('notice', { file: null, line: null, title: '' }, 'x')).toBe('::notice::x');
  });
});

describe('logLine', () => {
  it.each([
    { name: 'a command', text: '::error::x', line: '\\u003a:error::x' },
    { name: 'a command after blanks', text: '   ::error::x', line: '   \\u003a:error::x' },
    { name: 'a command after a no-break space', text: '\u00a0::error::x', line: '\u00a0\\u003a:error::x' },
    { name: 'an old command', text: 'a ##[error]x', line: 'a ##\\u005berror]x' },
    { name: 'more number signs', text: '###[error]x', line: '###\\u005berror]x' },
    { name: 'several lines', text: 'a\n::error::x\r##[error]', line: 'a␊::error::x␍##\\u005berror]' },
    { name: 'a line separator', text: 'a\u2028::error::x', line: 'a\\u2028::error::x' },
    { name: 'an address of IPv6', text: 'http://[::1]:80/', line: 'http://[::1]:80/' },
    { name: 'plain text', text: '  status 200 · target a.md', line: '  status 200 · target a.md' },
  ])('$name', ({ text, line }) => {
    expect(logLine(text)).toBe(line);
    expect(readRunnerOutput(logLine(text)).commands).toEqual([]);
  });

  it.each(HOSTILE_ROWS)('$name: one line, and no command', ({ text }) => {
    for (const line of [logLine(text), logLine(`  ${text}`), logLine(`x ${text}`)]) {
      expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]|##\[/u);
      expect(readRunnerOutput(line)).toEqual({ commands: [], log: [line] });
    }
  });
});

const texts = await loadTexts('en');
const messages = messagesIn('en');
const optionsWith = (locate: Locate = LOCATE_NOTHING): ReportOptions => ({
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
  annotationsOf(reportOf(checks), optionsWith(locate));

const missingLink = (path: string, line: number, target: string): Finding =>
  finding({ rule: 'missing', evidence: { target }, location: at(path, line) });

describe('annotationsOf', () => {
  it('has one for each check and code, with the count, where no place is known in the repository', () => {
    const found = [missingLink('a.md', 3, 'x.md'), finding({ rule: 'moved' }), missingLink('b.md', 7, 'y.md')];
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
    const found = [missingLink('a.md', 3, 'x.md'), missingLink('b.md', 7, 'y.md')];
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
    { severity: 'error', level: 'error' },
    { severity: 'warning', level: 'warning' },
    { severity: null, level: 'warning' },
    { severity: 'info', level: undefined },
  ] as const)('$severity: $level', ({ severity, level }) => {
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
      missingLink(`${'p'.repeat(400)}${index}.md`, index + 1, 'x'.repeat(400)),
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
      for (const { title, message } of annotationsOf(hostileReport(text), optionsWith(locate))) {
        expect(title.length).toBeLessThanOrEqual(255);
        expect(message.length).toBeLessThanOrEqual(4096);
        expect(`${title}\n${message}`).not.toMatch(/^\s*::|##\[|[^\P{C}\n]|[\p{Zl}\p{Zp}]/mu);
      }
    }
  });

  it.each(LANGUAGES)('speaks %s', async (language) => {
    const own = { ...optionsWith(), texts: await loadTexts(language), messages: messagesIn(language) };
    const [annotation] = annotationsOf(reportOf([{ findings: [finding()] }]), own);
    const text = own.texts.finding('config', 'syntax');
    expect(annotation?.message).toContain(text?.problem);
    expect(annotation?.message).toContain(`${own.messages.fix} ${text?.fix}`);
    expect(annotation?.title).toContain(own.texts.check('config')?.title);
  });
});

const missingAt = (...locations: readonly Location[]): Finding => {
  const [location] = locations;
  return finding({ rule: 'missing', ...(location === undefined ? {} : { location, locations }) });
};
const group = (id: string, findings: readonly Finding[], more: Partial<Group> = {}): Group => ({
  ...(id === 'source' ? { role: 'source' } : {}),
  id,
  rule: 'missing',
  severity: 'error',
  findings,
  count: findings.length,
  ...more,
});
/** What is deployed in another version has no lines. */
const onlyFiles: Locate = ({ path }) => ({ file: path, line: null, column: null });
const lines = (path: string, count: number): readonly Finding[] =>
  Array.from({ length: count }, (_, index) => missingAt(at(path, index + 1)));

/** `links a.md:3 ×2`: the check, the place, how many findings. */
const reported = (groups: readonly Group[], most = 10, locate = inDocs): readonly string[] =>
  sharesOf(groups, most, locate).map(({ group: { id }, count, location }) => {
    const where = location === null ? '-' : [location.file, location.line].filter((part) => part !== null).join(':');
    return `${id} ${where} ×${count}`;
  });

describe('annotations of one level', () => {
  const rows: readonly { name: string; groups: readonly Group[]; most?: number; locate?: Locate; are: string[] }[] = [
    {
      name: 'a missing link at three lines of two files',
      groups: [
        group('links', [
          missingAt(at('index.md', 5)),
          missingAt(at('guide/index.md', 3)),
          missingAt(at('guide/index.md', 5)),
        ]),
      ],
      are: ['links docs/index.md:5 ×1', 'links docs/guide/index.md:3 ×1', 'links docs/guide/index.md:5 ×1'],
    },
    {
      name: 'one missing page that three places link to',
      groups: [group('links', [missingAt(at('a.md', 3), at('b.md', 3), at('b.md', 7))])],
      are: ['links docs/a.md:3 ×1', 'links docs/b.md:3 ×1', 'links docs/b.md:7 ×1'],
    },
    {
      name: 'two on one line',
      groups: [group('links', [missingAt(at('a.md', 3, 1)), missingAt(at('a.md', 3, 40))])],
      are: ['links docs/a.md:3 ×2'],
    },
    {
      name: 'more than there is room for',
      groups: [group('links', lines('a.md', 12), { count: 30 })],
      are: [...Array.from({ length: 9 }, (_, index) => `links docs/a.md:${index + 1} ×1`), 'links docs/a.md:10 ×21'],
    },
    {
      name: 'two checks with many',
      groups: [group('links', lines('a.md', 9)), group('assets', lines('b.md', 9))],
      most: 6,
      are: [
        'links docs/a.md:1 ×1',
        'links docs/a.md:2 ×1',
        'links docs/a.md:3 ×7',
        'assets docs/b.md:1 ×1',
        'assets docs/b.md:2 ×1',
        'assets docs/b.md:3 ×7',
      ],
    },
    {
      name: 'a check with two codes, and one with little',
      groups: [
        group('links', lines('a.md', 9)),
        group('links', lines('b.md', 9), { rule: 'moved' }),
        group('assets', lines('c.md', 2)),
      ],
      most: 7,
      are: [
        'links docs/a.md:1 ×1',
        'links docs/a.md:2 ×1',
        'links docs/a.md:3 ×7',
        'links docs/b.md:1 ×1',
        'links docs/b.md:2 ×8',
        'assets docs/c.md:1 ×1',
        'assets docs/c.md:2 ×1',
      ],
    },
    {
      name: 'no room but for one each',
      groups: [group('links', lines('a.md', 3)), group('assets', lines('b.md', 3))],
      most: 2,
      are: ['links docs/a.md:1 ×3', 'assets docs/b.md:1 ×3'],
    },
    {
      name: 'the first place of each before further places of any',
      groups: [group('links', [missingAt(at('a.md', 1), at('b.md', 1), at('c.md', 1)), missingAt(at('d.md', 1))])],
      most: 2,
      are: ['links docs/a.md:1 ×1', 'links docs/d.md:1 ×2'],
    },
    {
      name: 'nothing known in the repository',
      groups: [group('links', lines('a.md', 3))],
      locate: LOCATE_NOTHING,
      are: ['links - ×3'],
    },
    {
      name: 'what is known nowhere goes with the last',
      groups: [group('links', [missingAt(), missingAt(at('a.md', 1)), missingAt(at('b.md', 1))])],
      are: ['links docs/a.md:1 ×1', 'links docs/b.md:1 ×2'],
    },
    {
      name: 'files whose lines are not known: one each',
      groups: [group('links', [missingAt(at('a.md', 1)), missingAt(at('a.md', 2)), missingAt(at('b.md', 1))])],
      locate: onlyFiles,
      are: ['links a.md ×2', 'links b.md ×1'],
    },
    {
      name: 'files as a whole',
      groups: [
        group(
          'assets',
          ['a.md', 'b.md'].map((path) => finding({ rule: 'stale', evidence: { path } })),
        ),
      ],
      are: ['assets docs/a.md ×1', 'assets docs/b.md ×1'],
    },
    {
      name: 'files that are live in another version: nothing is wrong in them',
      groups: [group('source', lines('a.md', 3)), group('links', lines('b.md', 2))],
      are: ['source docs/a.md:1 ×3', 'links docs/b.md:1 ×1', 'links docs/b.md:2 ×1'],
    },
    { name: 'nothing', groups: [], are: [] },
  ];

  it.each(rows)('$name', ({ groups, most, locate, are }) => {
    expect(reported(groups, most, locate)).toEqual(are);
  });

  it('report a finding at its own place only', () => {
    const locations = [at('a.md', 3), at('a.md', 3, 9), at('b.md', 7)];
    const [first, second] = sharesOf([group('links', [missingAt(...locations)])], 10, inDocs);
    const reportedAt = (share: typeof first): readonly unknown[] => [
      ...new Set(share?.members.map(([, location]) => location)),
    ];
    expect(reportedAt(first)).toEqual([at('a.md', 3), at('a.md', 3, 9)]);
    expect(reportedAt(second)).toEqual([at('b.md', 7)]);
  });
});
