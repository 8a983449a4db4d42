import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import wrapAnsi from 'wrap-ansi';
import { charactersOf, table, textWidth, wrapText } from './width.ts';

describe('textWidth', () => {
  it('is that of every single character, alone and beside others', () => {
    const different: string[] = [];
    for (let code = 0x20; code <= 0x33ff; code++) {
      const character = String.fromCodePoint(code);
      for (const text of [character, `a${character}`, `${character}${character}`]) {
        if (textWidth(text) !== stringWidth(text)) different.push(text);
      }
    }
    expect(different).toEqual([]);
  });

  it.each([
    ['Romanian', 'Configurația nu este JSON: „țară”, «șir»'],
    ['French', 'Vérification : « l’élément » — à corriger…'],
    ['wide letters', '設定ファイル'],
    ['a flag', '🇷🇴 site'],
    ['a letter and its accent apart', 'e\u0301te\u0301'],
    ['colours', '\u001b[32mfine\u001b[39m'],
    ['a line end', 'a\nb'],
    ['nothing', ''],
  ])('of %s', (_name, text) => {
    expect(textWidth(text)).toBe(stringWidth(text));
  });
});

it.each([
  ['ordinary letters', 'a „ță” b', ['a', ' ', '„', 'ț', 'ă', '”', ' ', 'b']],
  ['a flag', 'a🇷🇴', ['a', '🇷🇴']],
  ['an accent apart', 'e\u0301a', ['e\u0301', 'a']],
])('the characters of %s', (_name, text, characters) => {
  expect(charactersOf(text)).toEqual(characters);
});

describe('wrapText', () => {
  const TEXTS = [
    '',
    'word',
    'a few words of one line',
    'The file is served under an unusual media type for its kind. The engine reads it all the same, but browsers may not.',
    'status 200 · mediaType application/octet-stream · url http://127.0.0.1:38015/a-path-that-is-longer-than-a-line.md',
    'two  spaces, and one at the end ',
    ' one at the start',
    'a line\nand another, which is somewhat longer than the first',
    'a word ofnotlessthanthirtyfivelettersinall and more',
    '\u001b[32mFix:\u001b[39m set `homePage` in `config.json`, \u001b[36mindex.md\u001b[39m for one, and deploy it again',
    '設定ファイルは有効な JSON ではありません。 もう一度配置してください。',
    '0,31\u00a0s et 5\u00a0vérifications : « rien à corriger »',
  ];
  it.each([8, 15, 30, 31, 40, 76, 100, Infinity])('breaks as it is known to, at %d columns', (columns) => {
    for (const text of TEXTS) {
      expect(wrapText(text, columns, true)).toBe(wrapAnsi(text, columns, { hard: true }));
      expect(wrapText(text, columns)).toBe(wrapAnsi(text, columns));
    }
  });
});

describe('a table', () => {
  it('counts columns as terminals do', () => {
    const rows = [
      ['A', 'B', 'C'],
      ['日本', '1', ''],
      ['x', '22', 'c'],
    ];
    expect(table(rows, [1]).split('\n')).toEqual(['A      B  C', '日本   1', 'x     22  c', '']);
  });
});
