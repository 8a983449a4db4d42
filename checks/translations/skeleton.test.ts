import { describe, expect, it } from 'vitest';
import { parseMarkdown, type MarkdownFacts } from '../../src/parse/markdown.ts';
import { driftOf, isSimilar, skeletonKey } from './implementation.ts';

const ORIGINAL = '# A\n\n## B\n\n```sh\nls\n```\n\n### C\n\n| a | b |\n| - | - |\n| 1 | 2 |\n';

async function factsOf(text: string): Promise<MarkdownFacts> {
  const parsed = await parseMarkdown(text, { limitMs: 5000 });
  if (!parsed.ok) throw new Error(parsed.limit);
  return parsed;
}

describe('driftOf', () => {
  it.each([
    { name: 'the same', text: ORIGINAL },
    { name: 'other words', text: ORIGINAL.replaceAll(/[ABC12ab]/g, 'x') },
    { name: 'more text', text: ORIGINAL.replace('## B', 'Mai mult.\n\n- și o listă\n\n## B') },
    { name: 'other code', text: ORIGINAL.replace('ls', '# listă\n\nls -l') },
    { name: 'letter case of a language', text: ORIGINAL.replace('sh', 'SH') },
    { name: 'other fences', text: ORIGINAL.replaceAll('```', '~~~~') },
    { name: 'front matter', text: `---\ntitle: x\n---\n\n${ORIGINAL}` },
    { name: 'an underlined heading', text: ORIGINAL.replace('# A', 'A\n=') },
    { name: 'CRLF', text: ORIGINAL.replaceAll('\n', '\r\n') },
    { name: 'another alignment', text: ORIGINAL.replace('| - | - |', '| :-- | --: |') },
  ])('none: $name', async ({ text }) => {
    expect(driftOf(await factsOf(ORIGINAL), await factsOf(text))).toBeNull();
  });

  it.each([
    {
      name: 'a section less',
      text: ORIGINAL.replace('### C', 'C'),
      is: { rule: 'headings-drifted', line: 3, originalLine: 9, evidence: { expected: '###', found: null } },
    },
    {
      name: 'a section more',
      text: `${ORIGINAL}\n## D\n`,
      is: { rule: 'headings-drifted', line: 15, originalLine: 9, evidence: { expected: null, found: '##' } },
    },
    {
      name: 'another level',
      text: ORIGINAL.replace('### C', '## C'),
      is: { rule: 'headings-drifted', line: 9, originalLine: 9, evidence: { expected: '###', found: '##' } },
    },
    {
      name: 'headings before all else',
      text: '# A\n',
      is: { rule: 'headings-drifted', evidence: { headings: [3, 1], code: [1, 0], tables: [1, 0] } },
    },
    {
      name: 'code less',
      text: ORIGINAL.replaceAll('```', ''),
      is: { rule: 'code-drifted', line: 1, originalLine: 5, evidence: { expected: 'sh', found: null } },
    },
    {
      name: 'another language of code',
      text: ORIGINAL.replace('sh', 'ps1'),
      is: { rule: 'code-drifted', line: 5, evidence: { expected: 'sh', found: 'ps1' } },
    },
    {
      name: 'no language of code',
      text: ORIGINAL.replace('sh', ''),
      is: { rule: 'code-drifted', evidence: { expected: 'sh', found: 'code' } },
    },
    {
      name: 'a row more',
      text: `${ORIGINAL}| 3 | 4 |\n`,
      is: { rule: 'tables-drifted', line: 11, evidence: { expected: '2×1', found: '2×2' } },
    },
    {
      name: 'a column less',
      text: ORIGINAL.replaceAll(/ \| [-b2] \|$/gm, ' |'),
      is: { rule: 'tables-drifted', evidence: { found: '1×1' } },
    },
  ])('$name', async ({ text, is }) => {
    expect(driftOf(await factsOf(ORIGINAL), await factsOf(text))).toMatchObject(is);
  });
});

describe('skeletonKey', () => {
  it.each([
    { name: 'other words', text: ORIGINAL.replaceAll(/[ABC12ab]/g, 'x'), same: true },
    { name: 'a section more', text: `${ORIGINAL}\n## D\n`, same: false },
    { name: 'a row more', text: `${ORIGINAL}| 3 | 4 |\n`, same: false },
    { name: 'other code', text: ORIGINAL.replace('sh', 'js'), same: false },
  ])('$name: $same', async ({ text, same }) => {
    expect(skeletonKey(await factsOf(text)) === skeletonKey(await factsOf(ORIGINAL))).toBe(same);
  });
});

describe('isSimilar', () => {
  it.each([
    { name: 'as many', here: 4, there: 4, is: true },
    { name: 'none and one', here: 0, there: 1, is: true },
    { name: 'none and two', here: 0, there: 2, is: false },
    { name: 'a few more', here: 4, there: 8, is: true },
    { name: 'many more', here: 12, there: 3, is: false },
  ])('$name: $is', async ({ here, there, is }) => {
    expect(isSimilar(await factsOf('# a\n'.repeat(here)), await factsOf('# b\n'.repeat(there)))).toBe(is);
  });

  it('takes what is not known for similar', async () => {
    expect(isSimilar(null, await factsOf(ORIGINAL))).toBe(true);
  });
});
