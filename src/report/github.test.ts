import { describe, expect, it } from 'vitest';
import { HOSTILE_ROWS, hostileReport } from '../../test/reports/hostile.ts';
import { readRunnerOutput } from '../../test/reports/runner.ts';
import { finding, reportOf } from '../../test/reports.ts';
import { LANGUAGES, loadTexts } from '../texts.ts';
import { githubReport, logLine, workflowCommand } from './github.ts';
import type { ReportOptions } from './formats.ts';
import { prettyReport } from './pretty.ts';
import { locateInDocs, optionsIn } from '../../test/reports/samples.ts';
import { messagesIn } from '../locales/messages.ts';

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
