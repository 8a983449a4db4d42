import { describe, expect, it } from 'vitest';
import { reply } from '../../test/answers.ts';
import { fake, html, inDocs, ORIGIN, SITE, siteIn, text, type Files } from '../../test/runs.ts';
import type { Answer } from '../core/answer.ts';
import { DEFAULT_REQUEST } from '../core/run.ts';
import { findOtherHost } from './other-host.ts';
import { sharedSite } from './site.ts';

const GUIDE: Files = { '/guide/a.md': '# Arrival\n', '/guide/b.md': '# Berths\n', '/guide/c.md': '# Charts\n' };
const FOREIGN = ['a', 'b', 'c'].map((name) => `- [x](https://www.example/guide/${name}.md)\n`).join('');

async function find(menu: string | Answer, files: Files = { ...SITE, ...GUIDE }, base = new URL(`${ORIGIN}/`)) {
  const { get, asked } = fake(files);
  const site = sharedSite({ base, get, pooled: get, requested: DEFAULT_REQUEST, limits: { parseMs: 5000 } });
  const bundle = await site.bundle();
  asked.length = 0;
  const url = new URL('navigation.md', base).href;
  const answer = typeof menu === 'string' ? reply(menu, { url }) : menu;
  const file = { answer, bundle, setting: 'navigationFile', settingName: 'navigationFile', value: null } as const;
  return { found: await findOtherHost(file, site), asked };
}

describe('a navigation that leads to another host', () => {
  it('leads to this site if the pages are here too, and is reported with the first link', async () => {
    const { found, asked } = await find(`# Menu\n\n${FOREIGN}- [y](index.md)\n`);
    expect(found).toEqual({
      evidence: {
        foreignHosts: 'www.example',
        foreign: 3,
        links: 4,
        suggestion: 'https://www.example/',
        command: 'docvitals check https://www.example/ --resolve www.example:443:192.0.2.1',
      },
      location: { path: 'navigation.md', line: 3, column: 3 },
    });
    expect(asked.toSorted()).toEqual(['/CNAME', '/guide/a.md', '/guide/b.md', '/guide/c.md']);
  });

  it('leads to this site below the same path, or at the root of the other host', async () => {
    const files = { ...siteIn('/docs/'), '/docs/a.md': '# Arrival\n', '/docs/b.md': '# Berths\n' };
    const links = (folder: string) =>
      ['a', 'b'].map((page) => `[x](https://www.example${folder}${page}.md)\n`).join('');
    const suggestions = [await find(links('/docs/'), files, inDocs.base), await find(links('/'), files, inDocs.base)];
    expect(suggestions.map(({ found }) => found?.evidence.suggestion)).toEqual([
      'https://www.example/docs/',
      'https://www.example/',
    ]);
  });

  it.each([
    ['names it', 'other.example\nWWW.example\n', true],
    ['names another', 'other.example\n', false],
    ['is far too long', `www.example ${'x'.repeat(300)}`, false],
  ])('leads to this site if the file CNAME %s', async (_, cname, isFound) => {
    const { found } = await find(FOREIGN, { ...SITE, '/CNAME': text(cname) });
    expect(found !== null).toBe(isFound);
  });

  it.each<readonly [name: string, files: Files]>([
    ['none of the pages is here', SITE],
    ['one page is here', { ...SITE, '/guide/a.md': '# Arrival\n' }],
    [
      'all pages here are the bundle',
      { ...SITE, ...Object.fromEntries(Object.keys(GUIDE).map((at) => [at, SITE['/index.html'] ?? ''])) },
    ],
    ['all pages here have one text', { ...SITE, '/guide/a.md': '# Same\n', '/guide/b.md': '# Same\n' }],
    ['the pages here are empty', { ...SITE, '/guide/a.md': '', '/guide/b.md': '\n' }],
  ])('leads to another site if %s', async (_, files) => {
    expect((await find(FOREIGN, files)).found).toBeNull();
  });

  it.each([
    ['half of the links stay here', `${FOREIGN}[1](1.md) [2](2.md) [3](3.md)\n`],
    ['there is only one link', '[x](https://www.example/guide/a.md)\n'],
    ['all links stay here', '[1](1.md) [2](2.md)\n'],
    ['images come from there', FOREIGN.replaceAll('[x]', '![x]')],
    ['it is no text', reply(Buffer.from([0xff, 0xfe, 0x00]))],
    ['it is missing', reply('', { status: 404 })],
    ['it is the bundle', html('<!doctype html><title>Not here</title>')],
  ])('sends no request if %s', async (_, menu) => {
    expect(await find(menu)).toEqual({ found: null, asked: [] });
  });

  it('does not count names that every site has', async () => {
    const menu = ['index', 'README', 'navigation'].map((name) => `[x](https://www.example/${name}.md)\n`).join('');
    const { found } = await find(menu, { ...SITE, '/README.md': '# Read me\n' });
    expect(found).toBeNull();
  });

  it.each([
    [
      'a server on IPv6',
      '2001:db8::1',
      `${ORIGIN}/`,
      'docvitals check https://www.example/ --resolve www.example:443:[2001:db8::1]',
    ],
    [
      'plain HTTP',
      '192.0.2.1',
      'http://docs.example/',
      'docvitals check http://www.example/ --resolve www.example:80:192.0.2.1',
    ],
    ['an unknown address', null, `${ORIGIN}/`, undefined],
    ['another port', '192.0.2.1', 'https://docs.example:8443/', undefined],
  ])('suggests a command for %s', async (_, address, base, command) => {
    const { origin } = new URL(base);
    const files: Files = Object.fromEntries(
      Object.entries<Files[string]>({ ...SITE, ...GUIDE }).map(([at, file]) => [
        origin === ORIGIN ? at : origin + at,
        file,
      ]),
    );
    const menu = { ...reply(FOREIGN, { url: `${base}navigation.md` }), address };
    expect((await find(menu, files, new URL(base))).found?.evidence.command).toBe(command);
  });
});
