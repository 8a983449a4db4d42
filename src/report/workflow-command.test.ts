import { describe, expect, it } from 'vitest';
import { HOSTILE_ROWS } from '../../test/reports/hostile.ts';
import { readRunnerOutput } from '../../test/reports/runner.ts';
import { logLine, workflowCommand } from './github.ts';

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
