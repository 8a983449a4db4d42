import { describe, expect, it } from 'vitest';
import { readLayout } from './follow.ts';
import { parseMarkdown, type MarkdownFacts } from '../../src/parse/markdown.ts';

async function factsOf(text: string): Promise<MarkdownFacts> {
  const parsed = await parseMarkdown(text, { limitMs: 5000 });
  if (!parsed.ok) throw new Error(parsed.limit);
  return parsed;
}

const layoutOf = async (text: string): Promise<ReturnType<typeof readLayout>> => readLayout(text, await factsOf(text));

const LIST = '## Docs\n\n- [Tides](tides.md): tables\n';

describe('readLayout: where the title stands', () => {
  it.each([
    { name: 'first', text: `# Handbook\n\n${LIST}`, first: true },
    { name: 'after empty lines', text: `\n \n\n# Handbook\n`, first: true },
    { name: 'underlined', text: 'Handbook\n========\n', first: true },
    { name: 'after a comment', text: '<!-- made\nby hand -->\n\n<!-- x --># Handbook\n\n# Handbook', first: false },
    { name: 'after a comment on a line of its own', text: '<!-- made\nby hand -->\n# Handbook\n', first: true },
    { name: 'after front matter', text: '---\ntitle: x\n---\n\n# Handbook\n', first: true },
    { name: 'CRLF', text: '---\r\ntitle: x\r\n---\r\n\r\n# Handbook\r\n', first: true },
    { name: 'after a paragraph', text: 'Welcome.\n\n# Handbook\n', first: false },
    { name: 'after a second-level heading', text: '## Docs\n\n# Handbook\n', first: false },
    { name: 'after the summary', text: '> All about boats.\n\n# Handbook\n', first: false },
    { name: 'after a comment that never ends', text: 'a\n\n# Handbook\n\n<!-- x', first: false },
    { name: 'nowhere', text: '## Docs\n', first: false },
    { name: 'in code', text: '```\n# Handbook\n```\n', first: false },
  ])('$name: $first', async ({ text, first }) => {
    expect((await layoutOf(text)).beginsWithTitle).toBe(first);
  });
});

describe('readLayout: the summary', () => {
  it.each([
    { name: 'after the title', text: '# H\n\n> All about boats.\n', is: true },
    { name: 'right after the title', text: '# H\n> All about boats.\n', is: true },
    { name: 'after an underlined title', text: 'H\n=\n\n>All about boats.\n', is: true },
    { name: 'after a paragraph', text: '# H\n\nBoats.\n\n> All about boats.\n\n## Docs\n', is: true },
    { name: 'an empty quotation', text: '# H\n\n>\n> \n', is: false },
    { name: 'below the first section', text: '# H\n\n## Docs\n\n> Boats.\n', is: false },
    { name: 'before the title', text: '> Boats.\n\n# H\n', is: false },
    { name: 'in code', text: '# H\n\n```\n> Boats.\n```\n', is: false },
    { name: 'none', text: `# H\n\n${LIST}`, is: false },
  ])('$name: $is', async ({ text, is }) => {
    expect((await layoutOf(text)).hasSummary).toBe(is);
  });
});

describe('readLayout: lists of links', () => {
  it.each([
    { name: 'as proposed', body: '- [a](a.md): notes\n- [b](b.md)\n', unlisted: 0 },
    { name: 'other markers', body: '* [a](a.md)\n\n+ [b](b.md)\n\n1. [c](c.md)\n2) [d](d.md)\n', unlisted: 0 },
    { name: 'tasks and emphasis', body: '- [x] [a](a.md)\n- **[b](b.md)**\n- _[c](c.md)_\n', unlisted: 0 },
    { name: 'nested lists', body: '- Tides\n  - [a](a.md)\n', unlisted: 0 },
    { name: 'reference links', body: '- [a]\n- [b][a]\n\n[a]: a.md\n', unlisted: 0 },
    { name: 'a link in the notes', body: '- [a](a.md): see [b](b.md)\n\nAnd [c](c.md).\n', unlisted: 0 },
    { name: 'lower headings', body: '### One\n\n- [a](a.md)\n\n### Two\n\nSee [b](b.md).\n', unlisted: 0 },
    { name: 'bare URLs', body: '- https://docs.example/a.md\n- <https://docs.example/b.md>\n', unlisted: 2 },
    { name: 'names before the links', body: '- Tides: [a](a.md)\n', unlisted: 1 },
    { name: 'paragraphs', body: '[a](a.md)\n\n[b](b.md)\n', unlisted: 2 },
    { name: 'a table', body: '| a |\n| - |\n| [a](a.md) |\n', unlisted: 1 },
    { name: 'raw HTML', body: '<ul><li><a href="a.md">a</a></li></ul>\n', unlisted: 1 },
    { name: 'a picture', body: '![a](a.png)\n', unlisted: 0 },
    { name: 'nothing', body: 'Soon.\n', unlisted: 0 },
  ])('$name: $unlisted', async ({ body, unlisted }) => {
    expect((await layoutOf(`# H\n\n## Docs\n\n${body}`)).unlisted).toHaveLength(unlisted);
  });

  it('takes each section by itself', async () => {
    const { unlisted } = await layoutOf(`# H\n\n${LIST}\n## More\n\nhttps://docs.example/a.md\n`);
    expect(unlisted).toMatchObject([{ line: 9, column: 1 }]);
  });

  it.each([
    { name: 'above the first section', text: `# H\n\n[a](a.md)\n\n## Docs\n`, count: 0 },
    { name: 'in a section', text: `# H\n\n[a](a.md)\n\n${LIST}`, count: 1 },
    { name: 'below another title', text: `# H\n\n## Docs\n\n# More\n\n[a](a.md)\n`, count: 0 },
    { name: 'in a heading', text: `# H\n\n## [a](a.md)\n\n[b](b.md)\n`, count: 1 },
  ])('links $name: $count of them in sections', async ({ text, count }) => {
    expect((await layoutOf(text)).inSections).toHaveLength(count);
  });
});

it('finds the title after millions of comments', async () => {
  const { beginsWithTitle } = readLayout(`${'<!--> '.repeat(2_500_000)}\n# T\n`, await factsOf('\n# T\n'));
  expect(beginsWithTitle).toBe(true);
});
