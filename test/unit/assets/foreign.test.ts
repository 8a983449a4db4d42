import { describe, expect, it } from 'vitest';
import { noReply, reply } from '../../answers.ts';
import {
  anyOrigin,
  rules,
  css,
  html,
  js,
  LOST,
  ORIGIN,
  page,
  run,
  style,
  type Files,
} from '../../../checks/assets/fixtures/site.ts';

const OTHER = 'https://other.example';
/** What came from other hosts: all of it is there. */
const files: Files = {
  'assets/app.css': css(
    `@import "${OTHER}/a.css";@font-face{src:url(${OTHER}/a.woff2)}a{background:url(${OTHER}/b.png)}`,
  ),
  [`${OTHER}/a.css`]: css(`@import "b.css";c{background:url(c.png)}`),
  [`${OTHER}/b.css`]: css(''),
  [`${OTHER}/a.js`]: js('import"./b.js";import("./c-Ab12Cd34.js")', 'text/javascript', anyOrigin),
  [`${OTHER}/b.js`]: js('', 'text/javascript', anyOrigin),
  [`${OTHER}/c-Ab12Cd34.js`]: js('', 'text/javascript', anyOrigin),
};

/** The files of other hosts that are requested. */
async function asked(head: string, options = {}): Promise<readonly string[]> {
  const given = await run(page(head), files, { fallback: reply('x'), ...options });
  return given.asked.map(({ url }) => url.href).filter((url) => !url.startsWith(`${ORIGIN}/`));
}

describe('assets: files of other hosts', () => {
  it.each([
    { name: 'a picture', head: `<img src="${OTHER}/pixel.gif">`, all: ['/pixel.gif'] },
    { name: 'pictures for sharp screens', head: `<img srcset="${OTHER}/a.png 2x">`, all: ['/a.png'] },
    { name: 'an icon', head: `<link rel=icon href="${OTHER}/a.ico">`, all: ['/a.ico'] },
    { name: 'a film', head: `<video src="${OTHER}/a.mp4" poster="${OTHER}/a.jpg"></video>`, all: ['/a.mp4', '/a.jpg'] },
    { name: 'a preloaded font', head: `<link rel=preload as=font href="${OTHER}/a.woff2">`, all: ['/a.woff2'] },
    { name: 'a manifest', head: `<link rel=manifest href="${OTHER}/a.json">`, all: ['/a.json'] },
    { name: 'a script', head: `<script src="${OTHER}/x.js"></script>`, needed: ['/x.js'], all: ['/x.js'] },
    {
      name: 'a module and what it imports',
      head: `<script type=module src="${OTHER}/a.js"></script>`,
      needed: ['/a.js', '/b.js', '/c-Ab12Cd34.js'],
      all: ['/a.js', '/b.js', '/c-Ab12Cd34.js'],
    },
    {
      name: 'a preloaded module',
      head: `<link rel=modulepreload href="${OTHER}/b.js">`,
      needed: ['/b.js'],
      all: ['/b.js'],
    },
    {
      name: 'what the styles name',
      head: style,
      needed: ['/a.css', '/b.css'],
      all: ['/a.css', '/a.woff2', '/b.png', '/b.css', '/c.png'],
    },
  ])('$name: $needed, with --external $all', async ({ head, needed = [], all }) => {
    expect(await asked(head)).toEqual(needed.map((path) => `${OTHER}${path}`));
    expect(await asked(head, { external: true })).toEqual(all.map((path) => `${OTHER}${path}`));
  });

  it.each([
    { name: 'the same host by its other scheme', base: 'http://docs.example/', url: `${ORIGIN}/a.png` },
    { name: 'another port', base: `${ORIGIN}/`, url: `${ORIGIN}:8443/a.png` },
  ])('$name is no other host', async ({ base, url }) => {
    const given = await run(page(`<img src="${url}">`), {}, { base });
    expect(given.asked.map(({ url: { href } }) => href)).toEqual([url]);
  });

  it.each([
    'http://localhost:3000',
    'http://localhost.:3000',
    'https://127.0.0.1',
    'https://192.168.1.5',
    'https://[::1]:8080',
  ])('tells a picture at %s, for which no request leaves', async (origin) => {
    const blocked = { [`${origin}/a.png`]: noReply('blocked-address') };
    expect(await rules(page(`<img src="${origin}/a.png">`), blocked)).toEqual(['local-address']);
  });

  it('says how many are not asked for, each once', async () => {
    const head = `<img src="${OTHER}/a.png"><img src="${OTHER}/a.png"><img src="${OTHER}/b.png">`;
    expect((await run(page(head))).gathered).toMatchObject({ requests: 0, facts: { foreignLeft: 2 } });
    expect((await run(page(head), {}, { external: true })).gathered).toMatchObject({ requests: 2 });
  });

  it('reports files in the order of the page, whichever came first', async () => {
    const hosts = ['https://a.example', 'https://b.example', 'https://c.example'];
    const urls = hosts.map((host) => `${host}/app.js`);
    const unreachable = Object.fromEntries(urls.map((url) => [url, noReply('connect-timeout')]));
    const head = urls.map((url) => `<script src="${url}"></script>`).join('');
    for (const last of urls) {
      const { findings } = await run(page(head), unreachable, { last });
      expect(findings.map(({ rule, evidence }) => [rule, evidence?.['url']])).toEqual(
        urls.map((url) => ['external-failed', url]),
      );
    }
  });

  it('is one finding for each other host', async () => {
    const urls = [`${OTHER}/a.png`, `${OTHER}/b.png`, 'https://third.example/a.png'];
    const head = urls.map((url) => `<img src="${url}">`).join('');
    const failing = Object.fromEntries(urls.map((url) => [url, reply('', { status: 503 })]));
    const { findings } = await run(page(head), failing, { external: true });
    expect(findings).toMatchObject([
      { rule: 'external-failed', evidence: { url: urls[0], also: [urls[1]] }, locations: [{}, {}] },
      { rule: 'external-failed', evidence: { url: urls[2] } },
    ]);
  });

  it('evaluates what it was asked to check', async () => {
    const head = `<img src="${OTHER}/gone.png">`;
    expect(await rules(page(head), {}, { external: true })).toEqual(['image-missing']);
    expect(await rules(page(head), {}, { external: true, fallback: html(LOST, 503) })).toEqual(['external-failed']);
    expect(await rules(page(head))).toEqual([]);
  });
});
