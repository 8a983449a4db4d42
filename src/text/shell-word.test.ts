import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { shellPath, shellWord } from './shell-word.ts';

const ODD = ['docs', 'a b', "it's", 'k odd näme & $x', '`id`', '$(id)', 'a\nb', '!x', '', '~', '*', '-n', 'a;b'];

describe.skipIf(process.platform === 'win32')('shellWord', () => {
  it.each(ODD)('%j is one word', (text) => {
    expect(execFileSync('sh', ['-c', `printf '<%s>' ${shellWord(text)}`], { encoding: 'utf8' })).toBe(`<${text}>`);
  });

  it.each(['docs', '../a/b.c', 'https://docs.example.com/'])('%s needs no quotes', (text) => {
    expect(shellWord(text)).toBe(text);
  });
});

describe('shellPath', () => {
  it.each([
    ['docs', 'docs'],
    ['-p', './-p'],
    ['- a', `'./- a'`],
  ])('%s → %s', (given, reported) => {
    expect(shellPath(given)).toBe(reported);
  });
});
