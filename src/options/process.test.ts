import { describe, expect, it } from 'vitest';
import { columnsOf, wantsColour, wantsProgress } from './process.ts';

const TTY = { isTTY: true, columns: 120 };
const PIPE = {};

describe('wantsColour', () => {
  it.each([
    { name: 'a terminal', stream: TTY, env: {}, flag: true, wants: true },
    { name: 'a pipe', stream: PIPE, env: {}, flag: true, wants: false },
    { name: '--no-color', stream: TTY, env: {}, flag: false, wants: false },
    { name: 'NO_COLOR', stream: TTY, env: { NO_COLOR: '1' }, flag: true, wants: false },
    { name: 'NO_COLOR=0', stream: TTY, env: { NO_COLOR: '0' }, flag: true, wants: false },
    { name: 'an empty NO_COLOR', stream: TTY, env: { NO_COLOR: '' }, flag: true, wants: true },
    { name: 'FORCE_COLOR in a pipe', stream: PIPE, env: { FORCE_COLOR: '1' }, flag: true, wants: true },
    { name: 'FORCE_COLOR=0', stream: TTY, env: { FORCE_COLOR: '0' }, flag: true, wants: false },
    { name: 'FORCE_COLOR=false', stream: TTY, env: { FORCE_COLOR: 'false' }, flag: true, wants: false },
    {
      name: 'NO_COLOR over FORCE_COLOR',
      stream: TTY,
      env: { NO_COLOR: '1', FORCE_COLOR: '1' },
      flag: true,
      wants: false,
    },
    { name: '--no-color over FORCE_COLOR', stream: PIPE, env: { FORCE_COLOR: '1' }, flag: false, wants: false },
    { name: 'a dumb terminal', stream: TTY, env: { TERM: 'dumb' }, flag: true, wants: false },
  ])('$name: $wants', ({ stream, env, flag, wants }) => {
    expect(wantsColour(stream, env, flag)).toBe(wants);
  });
});

describe('columnsOf', () => {
  it.each([
    { name: 'the terminal', stream: TTY, env: { COLUMNS: '60' }, columns: 120 },
    { name: 'COLUMNS in a pipe', stream: PIPE, env: { COLUMNS: '60' }, columns: 60 },
    { name: 'neither', stream: PIPE, env: {}, columns: 80 },
    { name: 'nonsense', stream: PIPE, env: { COLUMNS: 'wide' }, columns: 80 },
    { name: 'zero', stream: PIPE, env: { COLUMNS: '0' }, columns: 80 },
    { name: 'less than nothing', stream: PIPE, env: { COLUMNS: '-5' }, columns: 80 },
    { name: 'a terminal that does not know its width', stream: { isTTY: true, columns: 0 }, env: {}, columns: 80 },
    {
      name: 'a terminal that does not know, beside COLUMNS',
      stream: { isTTY: true, columns: 0 },
      env: { COLUMNS: '60' },
      columns: 60,
    },
  ])('$name: $columns', ({ stream, env, columns }) => {
    expect(columnsOf(stream, env)).toBe(columns);
  });
});

describe('wantsProgress', () => {
  it.each([
    { name: 'a terminal', stream: TTY, env: {}, wants: true },
    { name: 'a pipe', stream: PIPE, env: {}, wants: false },
    { name: 'a CI service', stream: TTY, env: { CI: 'true' }, wants: false },
    { name: 'an empty CI', stream: TTY, env: { CI: '' }, wants: true },
    { name: 'a dumb terminal', stream: TTY, env: { TERM: 'dumb' }, wants: false },
  ])('$name: $wants', ({ stream, env, wants }) => {
    expect(wantsProgress(stream, env)).toBe(wants);
  });
});
