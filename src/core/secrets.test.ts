import { describe, expect, it } from 'vitest';
import { hidden } from './secrets.ts';

const SECRET = 'Kx7-qTz91_LmVwP/0dRs';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

const PIECES = [
  SECRET,
  SECRET.slice(0, 10),
  SECRET.slice(10),
  SECRET.slice(0, 6),
  SECRET.slice(-6),
  SECRET.slice(7, 13),
];

describe('a secret is hidden', () => {
  it.each<[string, (piece: string) => string]>([
    ['as it is', (piece) => piece],
    ['in capitals', (piece) => piece.toUpperCase()],
    ['percent-encoded where needed', encodeURIComponent],
    ['percent-encoded in full', percent],
    ['percent-encoded twice', (piece) => encodeURIComponent(percent(piece))],
    [
      'as JSON may write it',
      (piece) => [...percent(piece).matchAll(/%(..)/g)].map(([, hex]) => `\\u00${hex}`).join(''),
    ],
    [
      'as HTML may write it',
      (piece) =>
        piece
          .split('')
          .map((one) => `&#${one.charCodeAt(0)};`)
          .join(''),
    ],
  ])('%s, whole and cut', (_name, written) => {
    for (const piece of PIECES) {
      expect(hidden(`before "${written(piece)}" after`, [SECRET])).toBe('before "[hidden]" after');
    }
  });

  it('in base64, whatever it is part of', () => {
    for (const timers of ['', 'a', 'ab', 'user:']) {
      const text = hidden(`x ${base64(`${timers}${SECRET}${timers}`)} y`, [SECRET]);
      expect(Buffer.from(text.replaceAll(/^x |\[hidden\]| y$/g, ''), 'base64').toString()).not.toMatch(/x7-|Lm|0dR/);
    }
    expect(hidden(base64(SECRET).replaceAll('/', '_').replaceAll('+', '-'), [SECRET])).toMatch(/^\[hidden\].?.?$/);
  });

  it('at a cut, with four characters', () => {
    expect(hidden(`…${SECRET.slice(-4)}", and so on`, [SECRET])).toBe('…[hidden]", and so on');
    expect(hidden(`token ${SECRET.slice(0, 4)}…`, [SECRET])).toBe('token [hidden]…');
    expect(hidden(`${'x'.repeat(60)} ${SECRET.slice(0, 5)}`, [SECRET])).toBe(`${'x'.repeat(60)} [hidden]`);
  });

  it('by half where it is short, and with characters beyond ASCII', () => {
    expect(hidden('hunt and er22', ['hunter22'])).toBe('[hidden] and [hidden]');
    expect(hidden(`passe=${encodeURIComponent('clé-été-2024')}, CLÉ-ÉTÉ`, ['clé-été-2024'])).toBe(
      'passe=[hidden], [hidden]',
    );
  });

  it('without the scheme that it was sent with', () => {
    expect(hidden('Bearer realm="docs", bearer abcdefgh', ['Bearer abcdefgh'])).toBe(
      'Bearer realm="docs", bearer [hidden]',
    );
  });
});

it.each([
  ['what only begins like a secret', 'https://docs.example/docs', 'docs-token'],
  ['a value that is too short to be one', 'yes, it is', 'yes'],
  ['a text without it', '100 % — “été” &#8212; \\u2014', SECRET],
  ['an empty text', '', SECRET],
])('leaves %s', (_name, text, secret) => {
  expect(hidden(text, [secret])).toBe(text);
});

it('takes a time that grows with the text only', () => {
  const started = performance.now();
  hidden('Kx7-qKx7-q'.repeat(10_000), [SECRET.repeat(100)]);
  expect(performance.now() - started).toBeLessThan(2_000);
});
