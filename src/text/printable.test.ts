import { describe, expect, it } from 'vitest';
import { printable, shown } from './printable.ts';

const ROWS: readonly { name: string; text: string; shown: string }[] = [
  { name: 'plain text', text: "déjà vu, Ștefan's «用語集» 👍", shown: "déjà vu, Ștefan's «用語集» 👍" },
  { name: 'a colour', text: '\u001b[31mred', shown: '␛[31mred' },
  { name: 'a hyperlink', text: '\u001b]8;;http://x/\u0007', shown: '␛]8;;http://x/␇' },
  { name: 'line ends and tabs', text: 'a\r\n\tb', shown: 'a␍␊␉b' },
  { name: 'NUL and DEL', text: '\u0000\u007f', shown: '␀␡' },
  { name: 'C1 controls', text: '\u009b31m\u0085', shown: '\\u009b31m\\u0085' },
  { name: 'bidi controls', text: '\u202e\u2066\u200f\u061c', shown: '\\u202e\\u2066\\u200f\\u061c' },
  { name: 'invisible characters', text: 'a\u200b\ufeff\u00ad\u2060b', shown: 'a\\u200b\\ufeff\\u00ad\\u2060b' },
  { name: 'line and paragraph separators', text: '\u2028\u2029', shown: '\\u2028\\u2029' },
  { name: 'tag characters', text: '\u{e0041}', shown: '\\u{e0041}' },
  { name: 'a lone surrogate', text: '\ud83d', shown: '\\ud83d' },
  { name: 'nothing', text: '', shown: '' },
];

describe('printable', () => {
  it.each(ROWS)('$name', (row) => {
    expect(printable(row.text)).toBe(row.shown);
  });

  it('leaves nothing that acts, whatever comes', () => {
    const everything = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code));
    expect(everything.filter((character) => /[\p{C}\p{Zl}\p{Zp}]/u.test(printable(character)))).toEqual([]);
  });
});

describe('text for people', () => {
  it.each([
    [{ GITHUB_ACTIONS: 'true' }, true],
    [{ TF_BUILD: 'True' }, true],
    [{ TEAMCITY_VERSION: '2026.1' }, true],
    [{}, false],
    [{ GITHUB_ACTIONS: 'false', TF_BUILD: 'no', TEAMCITY_VERSION: '' }, false],
  ])('has no command in it where %j reads commands: %j', (env, isRead) => {
    const text = 'a\n ::error::b\n##vso[task.complete]';
    expect(shown(text, env) !== text).toBe(isRead);
    expect(shown('a: b\n[c](d)', env)).toBe('a: b\n[c](d)');
  });
});
