import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { workflowScalar, yamlScalar } from './workflows.ts';

const ODD = [
  ['a folder', 'docs'],
  ['here', '.'],
  ['a path', 'packages/docs/public'],
  ['an address', 'https://docs.example.com:8443/a/?b'],
  ['a space', 'my docs'],
  ['quotes', `it's "docs"`],
  ['a backslash', 'a\\b'],
  ['a comment', 'docs #1'],
  ['a colon', 'a: b'],
  ['a colon at the end', 'a:'],
  ['an anchor', '&docs'],
  ['a tag', '!docs'],
  ['a list', '- docs'],
  ['a word that is a boolean', 'true'],
  ['one of YAML 1.1', 'NO'],
  ['nothing', 'null'],
  ['a number', '0123'],
  ['an empty text', ''],
  ['diacritics', 'documentație/ghidul'],
  ['Japanese', '文書'],
  ['an emoji', '📚'],
  ['a line feed', 'a\nb'],
  ['a line separator', 'a\u2028b'],
  ['a next line', 'a\u0085b'],
  ['a control character', 'a\u0007b'],
  ['a merge key', '<<'],
] as const;

describe('yamlScalar', () => {
  it.each(ODD)('%s is read back', (_, text) => {
    const yaml = `key: ${yamlScalar(text)}\nlist: [${yamlScalar(text)}]\n`;
    expect([parse(yaml), parse(yaml, { version: '1.1' })]).toEqual([
      { key: text, list: [text] },
      { key: text, list: [text] },
    ]);
    expect(yamlScalar(text)).not.toMatch(/[\n\u0085\u2028]/);
  });

  it.each(['docs', 'packages/docs', 'https://docs.example.com/'])('%s needs no quotes', (text) => {
    expect(yamlScalar(text)).toBe(text);
  });
});

describe('workflowScalar', () => {
  it('lets no text begin an expression', () => {
    const scalar = parse(workflowScalar('a${{ secrets.TOKEN }}b')) as string;
    expect(scalar.match(/\$\{\{ [^}]*\}\}/g)).toEqual(["${{ '${{' }}"]);
  });
});
