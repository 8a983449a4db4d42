import { describe, expect, it } from 'vitest';
import { ORIGIN, type Files, css, svg, html, page, run, rules } from '../../../checks/assets/fixtures/site.ts';

describe('assets: what the configuration names', () => {
  it.each<{ name: string; config: object; asked: readonly string[] }>([
    { name: 'a logo', config: { logo: 'logo.svg' }, asked: ['/docs/logo.svg'] },
    {
      name: 'a logo from the root, below the base and the origin',
      config: { logo: '/logo.svg' },
      asked: ['/docs/logo.svg', '/logo.svg'],
    },
    { name: 'an icon', config: { favicon: './img/a.ico' }, asked: ['/docs/img/a.ico'] },
    { name: 'a style', config: { customCss: 'my.css?v=2' }, asked: ['/docs/my.css?v=2'] },
    { name: 'several styles', config: { stylesheets: ['a.css', 'b.css'] }, asked: ['/docs/a.css', '/docs/b.css'] },
    {
      name: 'logos by theme',
      config: { logo: { light: 'a.svg', dark: 'b.svg' } },
      asked: ['/docs/a.svg', '/docs/b.svg'],
    },
    { name: 'a nested style', config: { theme: { css: 'a.css' } }, asked: ['/docs/a.css'] },
    { name: 'flags of languages', config: { locales: [{ code: 'ro', icon: 'ro.svg' }] }, asked: ['/docs/ro.svg'] },
    { name: 'a name with words', config: { site_logo_url: 'a.png' }, asked: ['/docs/a.png'] },
    { name: 'a picture of another host', config: { logo: 'https://img.example/a.png' }, asked: [] },
    {
      name: 'a style of another host',
      config: { customCss: 'https://cdn.example/a.css' },
      asked: ['https://cdn.example/a.css'],
    },
    {
      name: 'words',
      config: { theme: 'dark', logo: 'Tidewater', icon: 'fa-home', font: 'Inter', favicon: '' },
      asked: [],
    },
    { name: 'values of other kinds', config: { logo: true, favicon: null, css: 3, images: [[['a.png']]] }, asked: [] },
    { name: 'a name of a product', config: { title: 'Node.js', script: 'Docs v1.2', language: 'a.js' }, asked: [] },
    { name: 'text with markup', config: { logo: '<img src="a.svg">', icon: 'see a.svg' }, asked: [] },
    { name: 'data', config: { logo: 'data:image/svg+xml,a.svg' }, asked: [] },
    { name: 'pages', config: { homePage: 'start.md', llmsTxtUrl: '/llms.txt', image: 'a.md' }, asked: [] },
    { name: 'a placeholder', config: { logo: '{base}/logo.svg' }, asked: [] },
    { name: 'a colour', config: { theme: '#fff', themeColor: 'rgb(1.css)' }, asked: [] },
  ])('$name: $asked', async ({ config, asked }) => {
    const given = await run(page(''), {}, { base: `${ORIGIN}/docs/`, config: JSON.stringify(config) });
    expect(given.asked.map(({ url }) => url.href.replace(ORIGIN, ''))).toEqual(asked);
  });

  it.each<{ name: string; config: string; files?: Files; expected: readonly string[] }>([
    { name: 'a logo that is there', config: '{"logo": "a.svg"}', files: { 'a.svg': svg() }, expected: [] },
    { name: 'a logo at the origin', config: '{"logo": "/a.svg"}', files: { '/a.svg': svg() }, expected: [] },
    { name: 'a missing logo', config: '{"logo": "a.svg"}', expected: ['config-file-missing'] },
    { name: 'a missing style', config: '{"customCss": "a.css"}', expected: ['config-file-missing'] },
    { name: 'a missing icon', config: '{"favicon": "a.ico"}', expected: ['icon-missing'] },
    {
      name: 'a style of the wrong type',
      config: '{"customCss": "a.css"}',
      files: { 'a.css': css('a{}', 'text/plain') },
      expected: ['style-type'],
    },
    {
      name: 'a logo that is named twice',
      config: '{"logo": "a.svg", "banner": "a.svg"}',
      expected: ['config-file-missing'],
    },
    { name: 'a missing logo past a syntax error', config: '{"logo": "a.svg",}', expected: ['config-file-missing'] },
  ])('$name: $expected', async ({ config, files = {}, expected }) => {
    const options = { base: `${ORIGIN}/docs/`, config };
    expect(await rules(page(''), files, options)).toEqual(expected);
    expect(await rules(page(''), files, { ...options, fallback: html(page('')) })).toEqual(expected);
  });

  it('says where', async () => {
    expect((await run(page(''), {}, { config: '{\n  "theme": { "logo": "a.svg" }\n}' })).findings).toMatchObject([
      { evidence: { setting: 'theme.logo', value: 'a.svg' }, location: { path: 'config.json', line: 2, column: 22 } },
    ]);
  });
});
