/** The status page in a real Chromium: without scripts, under its policy, for eyes, keyboards, readers and paper. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { exportPages } from '../../src/monitor/page/export.ts';
import { addressOf } from '../../src/monitor/page/page.ts';
import { pageFor } from '../../src/monitor/page/routes.ts';
import type { MonitorView } from '../../src/monitor/view.ts';
import { LANGUAGES, type Language } from '../../src/locales/language.ts';
import { audit, type Audit, BREAK_POLICY, CUT, FOCUSED, lightnessOf, OPEN_ALL, OVERFLOW } from '../browser/in-page.ts';
import { useVisits, type Sight } from '../browser/visits.ts';
import { chromiumWanted } from '../hosts/chromium.ts';
import { SCENE_NAMES, SCENES, type SceneName } from './scenes.ts';
import { viewOf } from './view.ts';

const WIDTHS = [320, 640, 1280] as const;
/** A thousand sites are the same as sixty-one to a browser, and slow to look at. */
const LOOKED_AT = SCENE_NAMES.filter((name) => name !== 'thousand');
const ROWS = LOOKED_AT.flatMap((name) =>
  LANGUAGES.filter((language) => !name.startsWith('hostile') || language === 'en').map((language) => ({
    name,
    language,
  })),
);
/** What languages change are words: audits look at them where there are most. */
const AUDITED = ROWS.filter(({ name, language }) => language === 'en' || name === 'all-kinds' || name === 'site');
const ENGLISH = LOOKED_AT.map((name) => ({ name }));

/** The numbers of the links and summaries that are seen, as they come; what is told of a page left open is not. */
const VISIBLE_LINKS = `[...document.querySelectorAll('a[href], summary')].flatMap((element, index) =>
  element.checkVisibility({ visibilityProperty: true }) ? [index] : [])`;

/** How wide a page is checked, and how else. */
type WideSight = Omit<Sight, 'viewport'> & { readonly width?: number };

/** Serves each scene below its name, as a proxy with a base path does. */
async function serve(asked: string[]): Promise<Server> {
  const views = new Map<string, MonitorView>(SCENE_NAMES.map((name) => [name, viewOf(SCENES[name].source)]));
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(String(request.url), 'http://status.test');
    asked.push(pathname);
    const [, name = '', rest = ''] = /^\/([^/]+)(\/.*)$/.exec(pathname) ?? [];
    const view = views.get(name);
    const answering = view === undefined ? Promise.resolve(null) : pageFor(rest, { view, search: searchParams });
    void answering.then((answer) => response.writeHead(answer?.status ?? 404, answer?.headers).end(answer?.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

describe.runIf(chromiumWanted())('the status page in Chromium', () => {
  const visits = useVisits(serve);
  const { asked, said } = visits;
  const open = (
    looker: 'plain' | 'scripted',
    name: SceneName,
    language: Language,
    { width = 1280, ...sight }: WideSight = {},
  ): Promise<Page> => {
    const { place, source } = SCENES[name];
    const address = addressOf(place, language, source.settings.page.language);
    // Axe objects to a page that loads itself again; whoever needs that can stop it, on the page itself.
    const query = looker === 'scripted' ? '?refresh=off' : '';
    return visits.open(visits[looker](), `/${name}/${address}${query}`, { ...sight, viewport: { width, height: 800 } });
  };

  it.each(ROWS)(
    '$name in $language asks for nothing but its styles, and breaks no rule of its own',
    async ({ name, language }) => {
      const page = await open('plain', name, language);
      expect(await page.locator('h1').isVisible()).toBe(true);
      expect(await page.locator('.aged').isVisible()).toBe(false);
      // What is missing is reported by the browser, too.
      expect(said.filter((message) => !message.includes('404'))).toEqual([]);
      expect(asked.filter((file) => !file.endsWith('/') && !file.endsWith('/style.css'))).toEqual([]);
    },
  );

  it('lets nothing in that its policy does not name', async () => {
    const page = await open('scripted', 'hostile', 'en');
    const { refused, display } = await page.evaluate<{ refused: string[]; display: string }>(BREAK_POLICY);
    expect(refused).toEqual(
      expect.arrayContaining(['base-uri', 'script-src-elem', 'style-src-attr', 'style-src-elem']),
    );
    expect([display, await page.title()]).toEqual(['block', expect.not.stringMatching(/^owned$/)]);
  });

  it.each(AUDITED)(
    '$name in $language can be used by everybody, as far as axe can tell',
    async ({ name, language }) => {
      const page = await open('scripted', name, language);
      await page.evaluate(OPEN_ALL);
      await page.evaluate(axe.source);
      const { broken, held } = await page.evaluate<Audit>(audit());
      expect(broken).toEqual([]);
      expect(held).toEqual(expect.arrayContaining(['color-contrast', 'html-has-lang', 'heading-order', 'bypass']));
    },
  );

  it.each(ENGLISH)('$name has the same contrasts in the dark, and on a phone', async ({ name }) => {
    const page = await open('scripted', name, 'en', { colorScheme: 'dark', width: 320 });
    const { background, text } = await page.evaluate<{ background: number; text: number }>(lightnessOf('body'));
    expect(background).toBeLessThan(text);
    await page.evaluate(OPEN_ALL);
    await page.evaluate(axe.source);
    expect(await page.evaluate(audit())).toMatchObject({ broken: [] });
  });

  it.each(ROWS)('$name in $language fits', async ({ name, language }) => {
    const page = await open('plain', name, language);
    await page.evaluate(OPEN_ALL);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await page.evaluate(OVERFLOW), await page.evaluate(CUT)]).toEqual([width, 0, []]);
    }
  });

  it('lets a keyboard skip to the content first, and then reach every link in order', async () => {
    const page = await open('plain', 'three', 'en');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(`document.activeElement.className`)).toBe('skip-link');
    expect(await page.locator('.skip-link').isVisible()).toBe(true);
    const all = await page.evaluate<readonly number[]>(VISIBLE_LINKS);
    const reached = [await page.evaluate<number>(FOCUSED)];
    for (let step = 1; step < all.length; step++) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate<number>(FOCUSED));
    }
    expect(reached).toEqual(all);
  });

  it.each(LANGUAGES)('leads from page to page in %s, and to the other languages', async (language) => {
    const page = await open('plain', 'three', language);
    await page.locator('.sites a').first().click();
    expect(await page.locator('h1').count()).toBe(1);
    await page.locator('.past a').first().click();
    expect(new URL(page.url()).pathname).toContain('/incidents/');
    await page.locator('.back a').click();
    const other = LANGUAGES.find((one) => one !== language) ?? 'en';
    await page.locator(`.languages a[hreflang="${other}"]`).click();
    expect(await page.locator('html').getAttribute('lang')).toBe(other);
    expect(new URL(page.url()).pathname).toContain('/sites/docs/');
    await page.locator('.brand').click();
    expect(await page.locator('#_sites').isVisible()).toBe(true);
  });

  it.each(['all-kinds', 'site', 'incident'] as const)(
    '%s prints, light and with all that is behind a click',
    async (name) => {
      const page = await open('plain', name, 'en', { colorScheme: 'dark', width: 680 });
      await page.emulateMedia({ media: 'print' });
      const { background, text } = await page.evaluate<{ background: number; text: number }>(lightnessOf('body'));
      expect(background).toBeGreaterThan(text);
      expect(await page.evaluate(OVERFLOW)).toBe(0);
      for (const content of await page.locator('details > :not(summary)').all()) {
        expect((await content.boundingBox())?.height).toBeGreaterThan(20);
      }
    },
  );

  it.each(LANGUAGES)('keeps what a drawing means beside its sign, in %s', async (language) => {
    const page = await open('plain', 'one-down', language);
    const lines = await page.evaluate<readonly number[]>(`[...document.querySelectorAll('.keys li')].map((key) => {
      // However little room there is: a fraction of a pixel may be what is missing.
      key.parentNode.style.width = '2rem';
      return Math.round(key.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(key).lineHeight));
    })`);
    expect(lines).toEqual([1, 1, 1, 1]);
  });

  it('keeps its signs where the user chooses the colours', async () => {
    const page = await open('plain', 'all-kinds', 'en', { forcedColors: 'active' });
    const fill = await page.evaluate(`getComputedStyle(document.querySelector('.verdict .sign circle')).fill`);
    expect(fill).not.toBe(await page.evaluate(`getComputedStyle(document.body).backgroundColor`));
  });

  it.each(['en', 'ro', 'fr'] as const)('fits the texts of badges into their halves in %s', async (language) => {
    const page = visits.plain();
    for (const name of ['all-kinds', 'all-healthy', 'no-data'] as const) {
      const { source } = SCENES[name];
      const names = ['badge.svg', ...source.sites.map(({ site }) => `badge/${site.id}.svg`)];
      for (const badge of names) {
        const folder = language === source.settings.page.language ? '' : `${language}/`;
        await page.goto(`${visits.address()}/${name}/${folder}${badge}`);
        const halves = await page.evaluate<readonly number[]>(`[...document.querySelectorAll('text')].map((text) => {
          const natural = text.cloneNode(true);
          natural.removeAttribute('textLength');
          text.parentNode.append(natural);
          return natural.getComputedTextLength() / text.getComputedTextLength();
        })`);
        // What is stretched by a tenth or more looks it.
        expect(halves.filter((stretch) => stretch < 0.88 || stretch > 1.12).map((stretch) => [badge, stretch])).toEqual(
          [],
        );
      }
    }
  });

  it('is the same from a disk, where it was exported', async () => {
    const page = visits.plain();
    const folder = await mkdtemp(path.join(tmpdir(), 'docvitals page '));
    try {
      await exportPages(SCENES.three.source, folder, false);
      said.length = 0;
      await page.goto(pathToFileURL(path.join(folder, 'index.html')).href);
      const radius = `getComputedStyle(document.querySelector('.verdict')).borderRadius`;
      expect(await page.evaluate(radius)).not.toBe('0px');
      await page.locator('.languages a[hreflang="ro"]').click();
      await page.locator('.sites a').first().click();
      await page.locator('.incident h3 a').click();
      expect(new URL(page.url()).pathname).toMatch(/\/ro\/incidents\/docs-[^/]*\/index\.html$/);
      expect([await page.locator('h1').count(), said]).toEqual([1, []]);
      await page.locator('.brand').click();
      expect(await page.locator('#_sites').isVisible()).toBe(true);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
