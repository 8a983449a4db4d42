import { describe, expect, it } from 'vitest';
import { isNoIndex, metasOf, readRobotsMetas, readRobotsTags } from './implementation.ts';

describe('X-Robots-Tag', () => {
  it.each([
    { name: 'none at all', lines: [], expected: [] },
    { name: 'one directive', lines: ['noindex'], expected: [[null, true]] },
    { name: 'none', lines: ['none'], expected: [[null, true]] },
    { name: 'letter case', lines: ['NoIndex, NoFollow'], expected: [[null, true]] },
    { name: 'another directive', lines: ['nofollow, noarchive'], expected: [[null, false]] },
    { name: 'an agent', lines: ['googlebot: noindex, nofollow'], expected: [['googlebot', true]] },
    {
      name: 'two agents on a line',
      lines: ['googlebot: nofollow, otherbot: noindex'],
      expected: [
        ['googlebot', false],
        ['otherbot', true],
      ],
    },
    {
      name: 'two lines',
      lines: ['googlebot: nofollow', 'noindex'],
      expected: [
        ['googlebot', false],
        [null, true],
      ],
    },
    { name: 'a directive with a value', lines: ['max-snippet: 50, noindex'], expected: [[null, true]] },
    { name: 'a date with colons', lines: ['unavailable_after: 25 Jun 2030 15:00:00 PST'], expected: [[null, false]] },
    { name: 'an agent, then a value', lines: ['bingbot: max-snippet:0, noindex'], expected: [['bingbot', true]] },
  ])('$name', ({ lines, expected }) => {
    expect(readRobotsTags(lines).map((tag) => [tag.agent, isNoIndex(tag)])).toEqual(expected);
  });
});

describe('<meta name="robots">', () => {
  it.each([
    { name: 'none', html: '<title>x</title>', expected: [] },
    { name: 'noindex', html: '<meta name="robots" content="noindex">', expected: [[null, true]] },
    { name: 'letter case', html: '<META NAME=Robots CONTENT="NOINDEX,follow">', expected: [[null, true]] },
    { name: 'attributes the other way round', html: "<meta content='none' name=robots />", expected: [[null, true]] },
    { name: 'index', html: '<meta name="robots" content="index, follow">', expected: [[null, false]] },
    { name: 'one agent', html: '<meta name="googlebot" content="noindex">', expected: [['googlebot', true]] },
    { name: 'other names', html: '<meta name="description" content="noindex">', expected: [] },
    { name: 'a comment', html: '<!-- <meta name="robots" content="noindex"> -->', expected: [] },
    { name: 'a script', html: '<script>"<meta name=robots content=noindex>"</script>', expected: [] },
    { name: 'a template', html: '<template><meta name=robots content=noindex></template>', expected: [] },
    {
      name: 'a head that ends',
      html: '<head><meta name=robots content=noindex></head><meta name=robots content=none>',
      expected: [[null, true]],
    },
    { name: 'a body', html: '<p><body><meta name=robots content=noindex>', expected: [] },
    {
      name: 'a body and the end of a head in a template',
      html: '<template><head></head><body></body></template><meta name=robots content=noindex>',
      expected: [[null, true]],
    },
    { name: 'a name of Object', html: '<meta name="constructor" content="noindex">', expected: [] },
  ])('$name', ({ html, expected }) => {
    expect(readRobotsMetas(metasOf(html)).map((tag) => [tag.agent, isNoIndex(tag)])).toEqual(expected);
  });

  it.each([
    { name: 'nesting', html: '<b>'.repeat(500_000) },
    { name: 'unmatched tags in deep nesting', html: `${'<b>'.repeat(490)}${'</i>'.repeat(500_000)}` },
    { name: 'templates', html: '<template>'.repeat(200_000) },
  ])('bounded: $name', ({ html }) => {
    expect(metasOf(`<meta name=robots content=noindex>${html}`)).toHaveLength(1);
  });
});
