import { describe, expect, it } from 'vitest';
import { fake, html, ORIGIN, SITE, type Files } from '../../test/runs.ts';
import type { Crawl } from './crawl.ts';
import { DEFAULT_REQUEST } from '../core/run.ts';
import { sharedSite } from '../site/site.ts';
import { withPlainBadges, anchorsOf } from './anchors.ts';
import { parseMarkdown, type MarkdownFacts } from '../parse/markdown.ts';

const DOCSIFY = html('<!doctype html><div id=app></div><script src="//cdn.example/docsify.min.js"></script>');

async function crawled(files: Files): Promise<Crawl> {
  const { get } = fake(files);
  const requested = { ...DEFAULT_REQUEST, full: true };
  return sharedSite({ base: new URL(ORIGIN), get, pooled: get, requested, limits: { parseMs: 5000 } }).crawl();
}

describe('crawl: anchors', () => {
  it.each([
    ['a.md#setting-up', []],
    ['a.md#Setting_Up', []],
    ['a.md', []],
    ['a.md#', []],
    ['a.md#top', []],
    ['#/a.md?id=setting-up', []],
    ['a.md#own', []],
    ['a.md#gone', ['a.md#gone']],
    ['#/a.md#gone', ['a.md#gone']],
    ['#handbook', []],
    ['#gone', ['index.md#gone']],
    ['gone.md#gone', []],
    ['index.html#gone', ['index.md#gone']],
  ])('%s: %j', async (link, expected) => {
    const a = '# A\n\n## Setting up\n\n<a id="own"></a>\n';
    const found = await crawled({ ...SITE, '/index.md': `# Handbook\n\n[x](${link})\n`, '/a.md': a });
    expect(found.links.missingAnchors.map(({ path, anchor }) => `${path}#${anchor}`)).toEqual(expected);
  });

  it.each([
    ['a Git LFS pointer', 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n'],
    ['in conflict', '# A\n\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\n'],
  ])('are not evaluated in a page that is %s', async (_, a) => {
    const found = await crawled({ ...SITE, '/index.md': '[x](a.md#gone) [y](a.md#setting-up)', '/a.md': a });
    expect(found.links.missingAnchors).toEqual([]);
    expect([...found.links.faults.keys()]).toEqual(['a.md']);
  });

  it('are not evaluated in a page of which not all is kept', async () => {
    const a = '# A\n'.repeat(5_001);
    const found = await crawled({ ...SITE, '/index.md': '[x](a.md#a-2) [y](a.md#gone)', '/a.md': a });
    expect(found.links.missingAnchors).toEqual([]);
    const facts = found.pages.get('a.md')?.facts;
    expect([facts?.whole, facts?.headings.length]).toEqual([false, 5_000]);
  });

  it('are the anchors of the page that a link turns out to mean', async () => {
    const found = await crawled({
      ...SITE,
      '/index.html': DOCSIFY,
      '/index.md': '[a](guide/#gone) [b](guide/README.md#gone) [c](guide/#here)',
      '/guide/README.md': '# Here',
    });
    expect(found.links.missingAnchors).toMatchObject([{ path: 'guide/README.md', anchor: 'gone', count: 2 }]);
  });

  it('means the shown page in a menu', async () => {
    const found = await crawled({ ...SITE, '/navigation.md': '- [Up](#gone)\n- [Home](index.md)\n' });
    expect(found.links.missingAnchors).toEqual([]);
  });
});

it.each([
  ['Sitemap :badge[Auto-Generated]{type=success} :badge[Live Filter]', 'Sitemap Auto-Generated Live Filter'],
  ['Sitemap', 'Sitemap'],
  ['A :badge[] and a :badge[cut off', 'A :badge[] and a :badge[cut off'],
])('shows the badges of %s', (text, shown) => {
  expect(withPlainBadges(text)).toBe(shown);
});

async function factsOf(text: string): Promise<MarkdownFacts> {
  const parsed = await parseMarkdown(text, { limitMs: 20_000, inlineMs: 5000 });
  if (!parsed.ok) throw new Error(parsed.limit);
  return parsed;
}

describe('anchorsOf: what engines make of a heading', () => {
  it.each([
    { name: 'GitHub', text: '## Getting Started', anchor: 'getting-started' },
    { name: 'in capitals', text: '## Getting Started', anchor: 'Getting-Started' },
    { name: 'MDwiki', text: '## Getting Started', anchor: 'Getting_Started' },
    { name: 'MDwiki, with the space', text: '## Getting Started', anchor: 'Getting%20Started' },
    { name: 'punctuation dropped', text: '## What’s new in v1.2?', anchor: 'whats-new-in-v12' },
    { name: 'punctuation as hyphens', text: '## What’s new in v1.2?', anchor: 'what-s-new-in-v1-2-' },
    { name: 'an ampersand between spaces, GitHub', text: '## Tides & Harbours', anchor: 'tides--harbours' },
    { name: 'an ampersand between spaces, VertiWiki', text: '## Tides & Harbours', anchor: 'tides-amp-harbours' },
    { name: 'an ampersand as an entity', text: '## Tides &amp; Harbours', anchor: 'tides-harbours' },
    { name: 'a badge', text: '## v0.9 (Ichi) :badge[Latest]{type=success}', anchor: 'v09-ichi-latest' },
    { name: 'docsify, a digit first', text: '## 2. Setup', anchor: '_2-setup' },
    { name: 'GitHub, a digit first', text: '## 2. Setup', anchor: '2-setup' },
    { name: 'a hyphen in the heading', text: '## Edge-worker setup', anchor: 'edge-worker-setup' },
    { name: 'an underscore in the heading', text: '## The `home_page` field', anchor: 'the-home_page-field' },
    { name: 'code', text: '## `config.json`', anchor: 'configjson' },
    { name: 'code, punctuation as hyphens', text: '## `config.json`', anchor: 'config-json' },
    { name: 'a slash', text: '## GET /config.json', anchor: 'get-configjson' },
    { name: 'emphasis', text: '## Very **important** note', anchor: 'very-important-note' },
    { name: 'a link', text: '## See [the guide](guide.md)', anchor: 'see-the-guide' },
    { name: 'a link, as docsify makes it', text: '## See [the guide](guide.md)', anchor: 'see-the-guideguidemd' },
    { name: 'HTML in a heading', text: '## Setup <small>new</small>', anchor: 'setup-new' },
    { name: 'diacritics kept', text: '## Căutare și înțelegere', anchor: 'c%C4%83utare-%C8%99i-%C3%AEn%C8%9Belegere' },
    { name: 'diacritics as typed', text: '## Căutare și înțelegere', anchor: 'căutare-și-înțelegere' },
    { name: 'diacritics made ASCII', text: '## Căutare și înțelegere', anchor: 'cautare-si-intelegere' },
    { name: 'diacritics dropped', text: '## Căutare și înțelegere', anchor: 'cutare-i-nelegere' },
    { name: 'diacritics as hyphens', text: '## Căutare și înțelegere', anchor: 'c-utare-i-n-elegere' },
    { name: 'diacritics decomposed', text: '## Café', anchor: 'cafe%CC%81' },
    { name: 'French', text: '## Qu’est-ce que c’est ?', anchor: 'quest-ce-que-cest-' },
    { name: 'a no-break space', text: '## Prix\u00a0: dix', anchor: 'prix-dix' },
    { name: 'CJK', text: '## 快速 开始', anchor: '快速-开始' },
    { name: 'CJK, percent-encoded', text: '## 快速开始', anchor: '%E5%BF%AB%E9%80%9F%E5%BC%80%E5%A7%8B' },
    { name: 'CJK in VertiWiki', text: '## 快速开始', anchor: 'heading-2' },
    { name: 'the second CJK in VertiWiki', text: '## 快速\n\n## 开始', anchor: 'heading-2-1' },
    { name: 'Cyrillic', text: '## Быстрый старт', anchor: 'быстрый-старт' },
    { name: 'Arabic', text: '## دليل سريع', anchor: 'دليل-سريع' },
    { name: 'an emoji, dropped', text: '## 🚀 Launch', anchor: '-launch' },
    { name: 'an emoji, dropped with its space', text: '## 🚀 Launch', anchor: 'launch' },
    { name: 'an emoji, kept', text: '## 🚀 Launch', anchor: '%F0%9F%9A%80-launch' },
    { name: 'an emoji by name', text: '## :rocket: Launch', anchor: 'rocket-launch' },
    { name: 'an emoji by name, made a picture', text: '## :rocket: Launch', anchor: '-launch' },
    { name: 'C++ and C#', text: '## C++ vs. C#', anchor: 'c-vs-c' },
    { name: 'underlined', text: 'Getting started\n===', anchor: 'getting-started' },
    { name: 'underlined, of two lines', text: 'Getting\nstarted\n---', anchor: 'getting-started' },
    { name: 'in a quote', text: '> ## Note', anchor: 'note' },
    { name: 'in a list', text: '- ## Note', anchor: 'note' },
    { name: 'a long one', text: `## ${'very '.repeat(80)}long`, anchor: `${'very-'.repeat(80)}long` },
    { name: 'HTML', text: '<h2 align="center">Getting started</h2>', anchor: 'getting-started' },
  ])('$name', async ({ text, anchor }) => {
    expect(anchorsOf(await factsOf(text))(anchor)).toBe(true);
  });
});

describe('anchorsOf: ids that authors give', () => {
  it.each([
    { name: 'braces', text: '## Setup {#install}', anchor: 'install' },
    { name: 'braces, the heading', text: '## Setup {#install}', anchor: 'setup' },
    { name: 'braces, as text', text: '## Setup {#install}', anchor: 'setup-install' },
    { name: 'braces with more in them', text: '## Setup {#install .wide}', anchor: 'install' },
    { name: 'kramdown', text: '## Setup {: #install}', anchor: 'install' },
    { name: 'braces with an underscore', text: '## Setup {#how_to_install}', anchor: 'how_to_install' },
    { name: 'docsify', text: '## Setup :id=install', anchor: 'install' },
    { name: 'docsify, left out of the sidebar', text: '## Setup {docsify-ignore}', anchor: 'setup' },
    { name: 'docsify, left out with all below', text: '# Setup it {docsify-ignore-all}', anchor: 'setup-it' },
    { name: 'docsify, the heading', text: '## Setup :id=install', anchor: 'setup' },
    { name: 'an element with an id', text: '<div id="Part-1">\n\ntext', anchor: 'part-1' },
    { name: 'an element within a line', text: 'a <a name="part"></a> b', anchor: 'part' },
    { name: 'an id that is no word', text: '<a id="§4"></a>', anchor: '%C2%A74' },
    { name: 'an id in a table', text: '| a |\n| - |\n| <a id="row"></a> |', anchor: 'row' },
  ])('$name', async ({ text, anchor }) => {
    expect(anchorsOf(await factsOf(text))(anchor)).toBe(true);
  });
});

describe('anchorsOf: always there', () => {
  it.each(['', 'top', 'TOP', '#', '%20', ':~:text=tides'])('%j', async (anchor) => {
    expect(anchorsOf(await factsOf(''))(anchor)).toBe(true);
  });
});

describe('anchorsOf: not there', () => {
  it.each([
    { name: 'another heading', text: '## Getting started', anchor: 'installation' },
    { name: 'part of a heading', text: '## Getting started', anchor: 'getting' },
    { name: 'more than a heading', text: '## Getting started', anchor: 'getting-started-now' },
    { name: 'words run together', text: '## Getting started', anchor: 'gettingstarted' },
    { name: 'a word taken apart', text: '## Getting started', anchor: 'get-ting-started' },
    { name: 'a misspelling', text: '## Getting started', anchor: 'geting-started' },
    { name: 'a second of one', text: '## Setup', anchor: 'setup-1' },
    { name: 'a fourth of three', text: '## Setup\n\n## Setup\n\n## Setup', anchor: 'setup-4' },
    { name: 'a heading in code', text: '```\n## Setup\n```', anchor: 'setup' },
    { name: 'an id in a comment', text: '<!-- <a id="setup"> -->', anchor: 'setup' },
    { name: 'an id in code', text: '`<a id="setup">`', anchor: 'setup' },
    { name: 'VertiWiki’s name for a heading that has one', text: '## Setup', anchor: 'heading-2' },
    { name: 'bad percent-encoding', text: '## Setup', anchor: '%zz' },
    { name: 'the words of an id run together', text: '<a id="part-1"></a>', anchor: 'part1' },
    { name: 'no headings', text: 'text', anchor: 'text' },
  ])('$name', async ({ text, anchor }) => {
    expect(anchorsOf(await factsOf(text))(anchor)).toBe(false);
  });
});

describe('anchorsOf: equal headings', () => {
  it.each([
    { name: 'the first', anchor: 'step-1' },
    { name: 'the second, GitHub', anchor: 'step-1-1' },
    { name: 'the third, GitHub', anchor: 'step-1-2' },
    { name: 'the third, VertiWiki', anchor: 'step-1-1-2' },
    { name: 'the third, counted from 1', anchor: 'step-1-3' },
    { name: 'in other letters', anchor: 'STEP_1_2' },
  ])('$name', async ({ anchor }) => {
    expect(anchorsOf(await factsOf('## Step 1\n\n### Step 1\n\n## step 1'))(anchor)).toBe(true);
  });
});

describe('anchorsOf: bounds', () => {
  it.each([
    { name: 'a megabyte of counters', anchor: '-1'.repeat(500_000) },
    { name: 'a megabyte of percent signs', anchor: '%'.repeat(1_000_000) },
    { name: 'a megabyte of letters', anchor: 'a'.repeat(1_000_000) },
  ])('$name', async ({ anchor }) => {
    expect(anchorsOf(await factsOf('## Setup\n\n## Setup'))(anchor)).toBe(false);
  });
});
