import { describe, expect, it } from 'vitest';
import { jsonNotes, parseJson, recoverJson } from './json.ts';

/** `¦` marks where the problem is; it is not part of the text. */
function marked(source: string): { text: string; offset: number } {
  return { text: source.replace('¦', ''), offset: source.indexOf('¦') };
}

describe('parseJson: problems', () => {
  it.each([
    ['trailing-comma', 'in an object', '{"a": 1¦,}'],
    ['trailing-comma', 'in an array', '[1¦,]'],
    ['trailing-comma', 'before line ends', '{\n  "a": 1¦,\n}\n'],
    ['trailing-comma', 'nested', '{"a": {"b": [1, 2¦, ]}}'],
    ['unclosed-string', 'closed by the next opening quote', '{"a": ¦"x, "b": 1}'],
    ['unclosed-string', 'and more strings after it', '{"a": ¦"x, "b": "y", "c": "z"}'],
    ['unclosed-string', 'in a key', '{¦"a: 1, "b": 2}'],
    ['unclosed-string', 'in a key before a string', '{¦"a: "x"}'],
    ['unclosed-string', 'before a key like a comment', '{"a": ¦"x, "//c": 1}'],
    ['unclosed-string', 'without a comma either', '{"a": ¦"x "b": 1}'],
    ['unclosed-string', 'in an array', '["a", ¦"b, "c", "d"]'],
    ['unclosed-string', 'at the end of a line', '{\n  "a": ¦"x,\n  "b": 1\n}'],
    ['unclosed-string', 'at the end of a CRLF line', '{\r\n  "a": ¦"x\r\n}'],
    ['unclosed-string', 'that takes the closing brace', '{"a": ¦"x}'],
    ['unclosed-string', 'at the top', '¦"x'],
    ['control-character', 'a raw tab', '{"a": "x¦\ty"}'],
    ['control-character', 'a raw control', '{"a": "\\"¦\u0001"}'],
    ['unclosed-string', 'a raw tab in an open string', '{"a": ¦"x\ty\n}'],
    ['unclosed-string', 'a quote too much', '{"a": "x"¦"}'],
    ['comment', 'before all', '¦// a\n{}'],
    ['comment', 'in an object', '{ ¦/* a */ "a": 1}'],
    ['comment', 'after a value', '{"a": 1 ¦// a\n}'],
    ['comment', 'after the end', '{}\n¦// a'],
    ['comment', 'never closed', '{ ¦/* a'],
    ['comment', 'as in YAML', '¦# a\n{}'],
    ['single-quotes', 'of a key', "{¦'a': 1}"],
    ['single-quotes', 'of a value', '{"a": ¦\'x\'}'],
    ['unquoted-key', 'the first', '{¦a: 1}'],
    ['unquoted-key', 'a later one', '{"a": 1, ¦b: 2}'],
    ['unquoted-key', 'a number', '{¦1: 2}'],
    ['unquoted-key', 'a keyword', '{¦true: 2}'],
    ['unquoted-key', 'beyond ASCII', '{¦pagină: 2}'],
    ['missing-comma', 'between members', '{"a": 1¦ "b": 2}'],
    ['missing-comma', 'between lines', '{\n  "a": "x"¦\n  "b": 2\n}'],
    ['missing-comma', 'between elements', '[{}¦ {}]'],
    ['missing-comma', 'stuck together', '["a"¦"b"]'],
    ['missing-comma', 'before an unquoted key', '{"a": 1¦ b: 2}'],
    ['not-a-number', 'NaN', '{"a": ¦NaN}'],
    ['not-a-number', 'Infinity', '[¦Infinity]'],
    ['not-a-number', '-Infinity', '[¦-Infinity]'],
    ['not-a-number', 'undefined', '{"a": ¦undefined}'],
    ['incomplete', 'in a nested object', '{"a": {"b": 1¦}'],
    ['incomplete', 'after a comma', '{"a": 1¦,\n\n'],
    ['incomplete', 'after a colon', '{"a"¦:'],
    ['incomplete', 'in a string', '{"homePage": "ind¦e'],
    ['incomplete', 'in an escape', '{"a": "\\u0¦0'],
    ['incomplete', 'in a keyword', '{"a": tr¦u'],
    ['incomplete', 'in a number', '{"a": 1¦.'],
    ['incomplete', 'white space only', '¦   '],
    ['text-after-end', 'a word', '{} ¦x'],
    ['text-after-end', 'a comma', '{}¦,'],
    ['text-after-end', 'a brace', '{"a": 1}¦}'],
    ['text-after-end', 'a second document', '{}\n¦{}'],
    ['syntax', 'smart quotes', '{¦“a”: 1}'],
    ['syntax', 'HTML', '¦<!doctype html>'],
    ['syntax', 'two commas', '[1,¦,2]'],
    ['syntax', 'a comma first', '[¦,1]'],
    ['syntax', 'another bracket', '{"a": 1¦]'],
    ['syntax', 'no colon', '{"a" ¦1}'],
    ['syntax', 'no value', '{"a": ¦}'],
    ['syntax', 'an equals sign', '{"a" ¦= 1}'],
    ['syntax', 'a Windows path', '{"a": "C:¦\\docs"}'],
    ['syntax', 'a leading zero', '{"a": ¦01}'],
    ['syntax', 'hexadecimal', '{"a": ¦0x1f}'],
    ['syntax', 'a plus sign', '{"a": ¦+1}'],
    ['syntax', 'a bare word', '{"a": ¦index.md}'],
    ['syntax', 'Python', '{"a": ¦True}'],
    ['syntax', 'a quote inside a string', '{"a": "say "¦hi" now"}'],
    ['syntax', 'a no-break space', '{¦\u00a0"a": 1}'],
  ])('%s: %s', (code, _name, source) => {
    const { text, offset } = marked(source);
    expect(parseJson(text)).toEqual({ ok: false, problem: { code, offset } });
  });

  it('calls every beginning of a document cut short', () => {
    const text = '{"a": [1, -2.5e3, true, null], "b": {"c": "x, \\"y\\" \\u0041"}, "d": ""}';
    for (let end = 1; end < text.length; end++) {
      const problem = { code: 'incomplete', offset: text.slice(0, end).trimEnd().length - 1 };
      expect([end, parseJson(text.slice(0, end))]).toEqual([end, { ok: false, problem }]);
    }
  });
});

describe('parseJson: values and notes', () => {
  it.each([
    { name: 'an empty object', text: '{}', value: {} },
    { name: 'a scalar', text: ' "x"\n', value: 'x' },
    { name: 'the same key in other objects', text: '[{"a": 1}, {"a": {"a": 2}}]', value: [{ a: 1 }, { a: { a: 2 } }] },
    {
      name: 'numbers at the edge',
      text: '[9007199254740991, 1e308, 0.1, -0, 1e22]',
      value: [2 ** 53 - 1, 1e308, 0.1, -0, 1e22],
    },
    { name: 'large integers that fit', text: '[9007199254740992, 10000000000000000000000]', value: [2 ** 53, 1e22] },
    { name: '500 levels', text: `${'['.repeat(500)}${']'.repeat(500)}`, value: expect.any(Array) },
  ])('reads $name without a note', ({ text, value }) => {
    expect({ ...parseJson(text), notes: jsonNotes(text) }).toEqual({ ok: true, value, notes: [] });
  });

  it.each([
    { name: 'duplicate key', text: '{"a": 1, "a": 2}', notes: [{ code: 'duplicate-key', offset: 9, key: 'a' }] },
    {
      name: 'duplicate key, escaped',
      text: '{"a":1,"\\u0061":2}',
      notes: [{ code: 'duplicate-key', offset: 7, key: 'a' }],
    },
    {
      name: 'the third of a key',
      text: '{"a":1,"b":1,"a":1}',
      notes: [{ code: 'duplicate-key', offset: 13, key: 'a' }],
    },
    { name: '__proto__', text: '{"__proto__": 1}', notes: [{ code: 'proto-key', offset: 1, key: '__proto__' }] },
    { name: 'infinite', text: '[1e999]', notes: [{ code: 'number-range', offset: 1, literal: '1e999' }] },
    { name: 'too small', text: '[1e-999]', notes: [{ code: 'number-range', offset: 1, literal: '1e-999' }] },
    {
      name: 'an integer that loses digits',
      text: '[-9007199254740993]',
      notes: [{ code: 'number-range', offset: 1, literal: '-9007199254740993' }],
    },
    {
      name: '501 levels',
      text: `${'['.repeat(501)}${']'.repeat(501)}`,
      notes: [{ code: 'deep-nesting', offset: 500, depth: 501 }],
    },
  ])('notes $name', ({ text, notes }) => {
    expect(jsonNotes(text)).toMatchObject(notes);
  });

  it('gives at most ten notes of a code, in the order of the text', () => {
    const notes = jsonNotes(`[${'1e999,'.repeat(50)}{"a":1${',"a":1'.repeat(50)}}]`);
    const codes = notes.map(({ code }) => code);
    expect(codes).toEqual([...Array<string>(10).fill('number-range'), ...Array<string>(10).fill('duplicate-key')]);
  });

  it('cuts long keys and literals', () => {
    const key = 'k'.repeat(5000);
    const notes = jsonNotes(`{"${key}": 1, "${key}": ${'9'.repeat(5000)}}`);
    expect(notes.map((note) => (note.key ?? note.literal)?.length)).toEqual([80, 80]);
  });

  it('keeps __proto__ an ordinary key', () => {
    const read = parseJson('{"__proto__": {"homePage": "x.md"}}');
    expect(read.ok && (read.value as { homePage?: string }).homePage).toBeUndefined();
  });
});

describe('parseJson: hostile texts', () => {
  const MIB10 = 10 * 1024 * 1024;

  it.each([
    { name: '100,000 nested arrays', text: `${'['.repeat(1e5)}${']'.repeat(1e5)}`, depth: 1e5 },
    { name: '100,000 nested objects', text: `${'{"a":'.repeat(1e5)}1${'}'.repeat(1e5)}`, depth: 1e5 },
  ])('reads $name', ({ text, depth }) => {
    expect(parseJson(text).ok).toBe(true);
    expect(jsonNotes(text)).toMatchObject([{ code: 'deep-nesting', depth }]);
  });

  it.each([
    { name: '100,000 open arrays', text: '['.repeat(1e5), code: 'incomplete' },
    {
      name: '60,000 objects and a trailing comma',
      text: `[${'{"a":1},'.repeat(60_000)}]`,
      code: 'trailing-comma',
    },
    { name: '10 MiB of lists', text: '[]'.repeat(MIB10 / 2), code: 'parse-limit' },
    { name: '10 MiB of keys', text: `{${'"a":0,'.repeat(MIB10 / 6)}"a":0}`, code: 'parse-limit' },
    { name: '10 MiB of commas', text: `[${','.repeat(MIB10)}]`, code: 'parse-limit' },
    {
      name: 'brackets in a string, and one comma too many',
      text: `["${'['.repeat(MIB10)}\\"",]`,
      code: 'trailing-comma',
    },
    { name: 'one line of a megabyte', text: `{"a":"${'x'.repeat(1e6)}","b":}`, code: 'syntax' },
    { name: 'an open string of 10 MiB', text: `{"a":"${'x'.repeat(MIB10)}}`, code: 'unclosed-string' },
    { name: '10 MiB of white space', text: `${' '.repeat(MIB10)}x`, code: 'syntax' },
    { name: '10 MiB of slashes', text: '/'.repeat(MIB10), code: 'comment' },
    { name: 'escapes', text: `["${'\\\\'.repeat(900_000)}\\q"]`, code: 'syntax' },
    { name: '10 MiB of escapes', text: `["${'\\\\'.repeat(MIB10 / 2)}\\q"]`, code: 'parse-limit' },
    { name: '10 MiB of quotes', text: '"'.repeat(MIB10), code: 'text-after-end' },
  ])('places $name', ({ text, code }) => {
    expect(parseJson(text)).toMatchObject({ ok: false, problem: { code } });
  });
});

describe('recoverJson', () => {
  it.each([
    { name: 'a trailing comma', text: '{"homePage": "start.md",}', value: { homePage: 'start.md' } },
    { name: 'comments', text: '{/* a */ "homePage": "start.md" // b\n}', value: { homePage: 'start.md' } },
    { name: 'a missing comma', text: '{"a": 1 "homePage": "start.md"}', value: { a: 1, homePage: 'start.md' } },
    {
      name: 'a forgotten quote before a member',
      text: '{"homePage": "x.md, "b": 1}',
      value: { homePage: 'x.md', b: 1 },
    },
    { name: 'a forgotten quote at the end', text: '{"homePage": "x.md}', value: { homePage: 'x.md' } },
    {
      name: 'forgotten quotes on two lines',
      text: '{\n"homePage": "x.md,\n"navigationFile": "n.md\n}',
      value: { homePage: 'x.md', navigationFile: 'n.md' },
    },
    { name: 'a value cut short, left out', text: '{"a": 1, "homePage": "ind', value: { a: 1 } },
    { name: 'a bad escape, left out', text: '{"homePage": "C:\\docs", "a": 1}', value: { a: 1 } },
    { name: 'a bare word, left out', text: '{"homePage": index.md, "a": 1}', value: { a: 1 } },
    { name: 'only the first document', text: '{"a": 1}{"a": 2}', value: { a: 1 } },
    { name: 'HTML', text: '<!doctype html><html></html>', value: undefined },
    { name: '100,000 open arrays', text: '['.repeat(1e5), value: undefined },
    { name: 'two megabytes', text: `[${'1,'.repeat(1e6)}`, value: undefined },
  ])('$name', ({ text, value }) => {
    expect(recoverJson(text)).toEqual(value);
  });

  it('does not take long for a forgotten quote before many spaces', () => {
    expect(recoverJson(`{"homePage": "x${' '.repeat(250_000)}y\n}`)).toMatchObject({});
  });

  it('lets __proto__ set no prototype', () => {
    const value = recoverJson('{"__proto__": {"homePage": "x.md"},}') as { homePage?: string };
    expect(value.homePage).toBeUndefined();
  });
});
