import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { excerpt, position } from '../parse/position.ts';
import { codeFrame, makeStyle, explanation } from './terminal.ts';
import { LANGUAGES } from '../locales/language.ts';
import { loadTexts } from './texts.ts';

const PLAIN = makeStyle(false);
/** The fault: a character that stands nowhere else in the texts. */
const FAULT = '¤';

interface Case {
  readonly name: string;
  readonly text: string;
}

const long = (letter: string, count = 400): string => letter.repeat(count);

const CASES: readonly Case[] = [
  { name: 'at the start', text: `${FAULT}abc` },
  { name: 'at the end', text: `abc${FAULT}` },
  { name: 'in the middle of lines', text: `one\ntwo ${FAULT} two\nthree` },
  { name: 'on line 1000', text: `${'x\n'.repeat(999)}ab${FAULT}\nlast` },
  { name: 'after tabs', text: `{\n\t\t"a":\t1${FAULT}\n}` },
  { name: 'before and after tabs', text: `\t${FAULT}\t\t` },
  { name: 'after wide letters', text: `"用語集": "文書"${FAULT}` },
  { name: 'after emoji', text: `"👩‍👩‍👧 🇷🇴 👍🏽"${FAULT}` },
  { name: 'after combining marks', text: `"e\u0301a\u0306s\u0326"${FAULT}` },
  { name: 'after full-width forms and half-width kana', text: `ＡＢＣ ｱｲｳ${FAULT}` },
  { name: 'after right-to-left letters', text: `"שלום عالم"${FAULT}` },
  { name: 'after escape sequences', text: `"\u001b[31mred\u001b[0m"${FAULT}` },
  { name: 'after bidi and invisible characters', text: `"\u202e\u200b\ufeff\u2066"${FAULT}` },
  { name: 'with CRLF', text: `a\r\nb${FAULT}\r\nc` },
  { name: 'after much', text: `${long('a')}${FAULT}` },
  { name: 'before much', text: `${FAULT}${long('a')}` },
  { name: 'amid much', text: `${long('a')}${FAULT}${long('b')}` },
  { name: 'amid many wide letters', text: `${long('文')}${FAULT}${long('書')}` },
  { name: 'after many wide letters on a line that is not cut', text: `${long('文', 100)}${FAULT}` },
  { name: 'amid many emoji', text: `${long('👍')}${FAULT}${long('👍')}` },
  { name: 'amid many tabs', text: `${long('\t')}${FAULT}${long('\t')}` },
  { name: 'amid many escape sequences', text: `${long('\u001b[31m')}${FAULT}${long('\u001b[31m')}` },
  { name: 'amid many bidi characters', text: `${long('\u202e')}${FAULT}${long('\u202e')}` },
  { name: 'amid many combining marks', text: `${long('e\u0301')}${FAULT}${long('e\u0301')}` },
  { name: 'between long lines', text: `${long('a')}\n${long('b')}${FAULT}${long('c')}\n${long('d')}` },
];

const WIDTHS = [30, 56, 76, 196];
const rows = CASES.flatMap((one) => WIDTHS.map((columns) => ({ ...one, columns })));

function frameOf(text: string, columns: number): readonly string[] {
  const offset = text.indexOf(FAULT);
  const at = position(text, offset);
  return codeFrame(excerpt(text, offset, at.line), { path: 'config.json', ...at }, columns, PLAIN);
}

describe('a code frame', () => {
  it.each(rows)('$name, at $columns columns: the caret stands under the fault', ({ text, columns }) => {
    const frame = frameOf(text, columns);
    const at = frame.findIndex((line) => line.includes(FAULT));
    const faulty = frame[at] ?? '';
    const caret = frame[at + 1] ?? '';
    expect(faulty).toMatch(/^> *\d+ \| /);
    expect(caret).toMatch(/^ +\| +\^$/);
    expect(stringWidth(caret.slice(0, caret.indexOf('^')))).toBe(stringWidth(faulty.slice(0, faulty.indexOf(FAULT))));
  });

  it.each(rows)('$name, at $columns columns: no line is wider', ({ text, columns }) => {
    for (const line of frameOf(text, columns)) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  });

  it.each(rows)(
    '$name, at $columns columns: nothing acts on the terminal and no letter is cut in two',
    ({ text, columns }) => {
      for (const line of frameOf(text, columns)) {
        // A joiner belongs to its emoji; everything else of the kind is made visible.
        expect(line.replaceAll('\u200d', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
        expect(line).not.toMatch(/\\ud[89a-f]/);
      }
    },
  );

  it('numbers the lines and marks the faulty one', () => {
    expect(frameOf(`one\ntwo${FAULT}\nthree\nfour`, 76)).toEqual([
      '  1 | one',
      `> 2 | two${FAULT}`,
      '    |    ^',
      '  3 | three',
    ]);
  });

  it('points past the end of a line where something is missing there', () => {
    const location = { path: 'config.json', line: 1, column: 4 };
    expect(codeFrame({ firstLine: 1, lines: ['abc'], caretColumn: 4 }, location, 76, PLAIN)).toEqual([
      '> 1 | abc',
      '    |    ^',
    ]);
  });

  it('points into an empty line', () => {
    const location = { path: 'config.json', line: 1, column: 1 };
    expect(codeFrame({ firstLine: 1, lines: [''], caretColumn: 1 }, location, 76, PLAIN)).toEqual(['> 1 |', '    | ^']);
  });
});

const FENCED = `# Title\n\nProse.\n\n\`\`\`json\n# no heading ${'x'.repeat(80)}\n\`\`\`\n\n## Part\n\nUse \`nginx -t\`.`;

describe('explanation', () => {
  it('wraps prose and leaves code alone', () => {
    const lines = explanation(FENCED, 40, false).split('\n');
    expect(lines).toContain(`# no heading ${'x'.repeat(80)}`);
    expect(lines).toContain('## Part');
    expect(lines).toContain('Use `nginx -t`.');
    expect(lines.at(-1)).toBe('');
  });

  it('indents what follows in an item of a list, and sets its name off with colour', () => {
    const item = '- **nginx**: Add a location before the others.';
    expect(explanation(item, 30, false)).toBe('- **nginx**: Add a location\n  before the others.\n');
    expect(explanation(item, 80, true)).toContain('- \u001B[1mnginx\u001B[22m: Add');
  });

  it('sets headings and code off with colour, without their marks', () => {
    const text = explanation(FENCED, 40, true);
    expect(text).toContain('\u001b[1mTitle\u001b[22m');
    expect(text).toContain('\u001b[36mnginx -t\u001b[39m');
    expect(text).not.toContain('## Part');
  });

  it.each(LANGUAGES)('no page is wider than its terminal (%s)', async (language) => {
    const texts = await loadTexts(language);
    for (const id of texts.ids()) {
      for (const columns of [60, 200]) {
        const prose = (texts.page(id) ?? '').replaceAll(/^```[^]*?^```$/gm, '');
        // Code without a space cannot be broken.
        const lines = explanation(prose, columns, true)
          .split('\n')
          .filter((line) => line.trim().includes(' '));
        expect(lines.filter((line) => stringWidth(line) > Math.min(columns, 100))).toEqual([]);
      }
    }
  });
});
