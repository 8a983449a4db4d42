import { describe, expect, it } from 'vitest';
import { mdwiki } from './mdwiki.ts';

describe('MDwiki', () => {
  it.each([
    ['<!-- MDwiki v0.6.2 -->', '0.6.2'],
    ['MDwiki 0.7', '0.7'],
    ['<title> MDwiki </title>', null],
    ['<div id="md-all"></div>', null],
    ['$.initMDwiki()', null],
    ['<title>MDwiki manual</title>', undefined],
    ['AMDwiki v0.6.2', undefined],
  ])('is recognised in %s: %s', (bundle, version) => {
    expect(mdwiki.recognise(bundle)).toBe(version);
  });

  const configured = (configuration: Parameters<typeof mdwiki.configure>[0]['configuration']) =>
    mdwiki.configure({ bundle: '', configuration, limits: { parseMs: 5_000 } });

  it('reads the agent index from its configuration, and no other setting', async () => {
    const { settings } = await configured({ llmsTxtUrl: null, homePage: 'a.md', navigationFile: 'b.md' });
    expect(settings).toEqual({ llmsTxtUrl: null });
    expect((await configured({ homePage: 'a.md' })).settings).toEqual({});
  });

  it.each([
    ['"#"===b||"#!"===b?a="#!wiki.md":b.endsWith("/")&&(a=b+"wiki.md")', { homePage: 'wiki.md' }],
    ["hash === '#!') {\n        next = '#!start/home.md';", { homePage: 'start/home.md' }],
    ['""===b||"#!"===b?a="#!index.md":0', {}],
    ['<a href="#!">top</a> <a href="#!about.md">about</a>', {}],
  ])('reads the home page from its code: %s', async (bundle, settings) => {
    const site = await mdwiki.configure({ bundle, configuration: {}, limits: { parseMs: 5_000 } });
    expect(site.settings).toEqual(settings);
  });

  it('leads to a page by a route behind the bundle', async () => {
    const { links } = await configured({});
    expect(links.routeTo('first steps.md')).toBe('#!first%20steps.md');
    const from = { path: 'navigation.md', base: new URL('https://docs.example/'), home: 'index.md', menu: true };
    const resolved = (url: string) => links.resolve({ url, kind: 'link', title: null } as never, from);
    expect(resolved('mdwiki.html#!guide.md')).toMatchObject({ kind: 'page', path: 'guide.md' });
    expect(resolved('./mdwiki-debug.html#!guide.md')).toMatchObject({ kind: 'page', path: 'guide.md' });
  });
});
