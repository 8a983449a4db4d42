/** The HTML report in a real Chromium: drawn without scripts, under its policy, for eyes, keyboards, readers and paper. */
import { createServer, type Server } from 'node:http';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { htmlReport } from '../../src/report/html.ts';
import { LANGUAGES, type Language } from '../../src/locales/language.ts';
import { chromiumWanted } from '../hosts/chromium.ts';
import {
  audit,
  type Audit,
  BREAK_POLICY,
  CUT,
  FOCUSABLE,
  FOCUSED,
  lightnessOf,
  OPEN_ALL,
  OVERFLOW,
  OVERLAPS,
} from './in-page.ts';
import { REPORT_NAMES, REPORTS, type ReportName } from './reports.ts';
import { useVisits, type Sight } from './visits.ts';
import { locateInDocs as inDocs, optionsIn } from '../reports/samples.ts';

const WIDTHS = [320, 640, 768, 1280] as const;

async function pageFor(name: ReportName, language: Language): Promise<string> {
  return htmlReport(REPORTS[name], await optionsIn(language, name === 'healthy' ? {} : { locate: inDocs }));
}

/** Serves every report in every language as `/<name>.<language>.html`, and remembers what was requested. */
async function serve(asked: string[]): Promise<Server> {
  const pages = await Promise.all(
    ROWS.map(async ({ name, language }) => [`/${name}.${language}.html`, await pageFor(name, language)] as const),
  );
  const byPath = new Map<string, string>(pages);
  const server = createServer((request, response) => {
    asked.push(String(request.url));
    const page = byPath.get(String(request.url));
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** In each language, but for the hostile site: it looks hostile in any. */
const ROWS = REPORT_NAMES.flatMap((name) =>
  LANGUAGES.filter((language) => name !== 'hostile' || language === 'en').map((language) => ({ name, language })),
);

/** Every report in English. */
const FILES = REPORT_NAMES.map((name) => ({ name, file: `${name}.en.html` }));

/** A busy machine scrolls late. */
const WAIT = { timeout: 15_000 };

describe.runIf(chromiumWanted())('the HTML report in Chromium', () => {
  const visits = useVisits(serve);
  const { asked, said } = visits;
  const open = (looker: 'plain' | 'scripted', file: string, sight?: Sight): Promise<Page> =>
    visits.open(visits[looker](), `/${file}`, sight);

  const coloursOf = (page: Page) => page.evaluate<{ background: number; text: number }>(lightnessOf('body'));

  it.each(ROWS)('$name in $language asks for nothing and breaks no rule of its own', async ({ name, language }) => {
    const page = await open('plain', `${name}.${language}.html`);
    expect(await page.locator('h1').isVisible()).toBe(true);
    expect(await coloursOf(page)).not.toEqual({ background: 0, text: 0 });
    expect(said).toEqual([]);
    expect(asked).toEqual([`/${name}.${language}.html`]);
  });

  it('lets nothing in that its policy does not name', async () => {
    const page = await open('scripted', 'hostile.en.html');
    expect(await page.evaluate(BREAK_POLICY)).toEqual({
      refused: ['base-uri', 'img-src', 'script-src-elem', 'style-src-attr', 'style-src-elem'],
      display: 'block',
      base: false,
    });
    expect(await page.title()).not.toBe('owned');
    expect(asked).toEqual(['/hostile.en.html']);
  });

  it.each(ROWS)('$name in $language can be used by everybody, as far as axe finds', async ({ name, language }) => {
    const page = await open('scripted', `${name}.${language}.html`);
    await page.evaluate(OPEN_ALL);
    await page.evaluate(axe.source);
    const light = await page.evaluate<Audit>(audit());
    expect(light.broken).toEqual([]);
    expect(light.held).toEqual(expect.arrayContaining(['color-contrast', 'html-has-lang', 'list', 'heading-order']));
  });

  it.each(FILES)('$name has other colours in the dark, with the same contrasts', async ({ file }) => {
    const light = await coloursOf(await open('plain', file));
    expect(light.background).toBeGreaterThan(light.text);
    const page = await open('scripted', file, { colorScheme: 'dark' });
    const dark = await coloursOf(page);
    expect(dark.background).toBeLessThan(dark.text);
    await page.evaluate(OPEN_ALL);
    await page.evaluate(axe.source);
    expect(await page.evaluate(audit(['color-contrast']))).toEqual({ broken: [], held: ['color-contrast'] });
  });

  it.each(ROWS)('$name in $language fits, and nothing overlaps', async ({ name, language }) => {
    const page = await open('plain', `${name}.${language}.html`);
    await page.evaluate(OPEN_ALL);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      const found = [await page.evaluate(OVERFLOW), await page.evaluate(CUT), await page.evaluate(OVERLAPS)];
      expect([width, ...found]).toEqual([width, 0, [], []]);
    }
  });

  it('lets a keyboard reach every link and open what is closed', async () => {
    const page = await open('plain', 'failing.en.html');
    const all = await page.evaluate<number>(FOCUSABLE);
    const reached = new Set<number>();
    for (let step = 0; step < all; step++) {
      await page.keyboard.press('Tab');
      reached.add(await page.evaluate<number>(FOCUSED));
    }
    expect(reached.size).toBe(all);
    expect(reached).not.toContain(-1);
    const closed = page.locator('details:not([open])');
    const before = await closed.count();
    await page.locator('details > summary').last().focus();
    await page.keyboard.press('Enter');
    expect(await closed.count()).toBe(before - 1);
  });

  it.each(['links', 'links/missing', 'links/missing/3', 'bundle', 'negotiation'])('leads to #%s', async (id) => {
    const page = await open('plain', `failing.en.html#${id}`, { viewport: { width: 1280, height: 600 } });
    const target = page.locator(`[id="${id}"]`);
    expect(await target.count()).toBe(1);
    await expect.poll(() => target.isVisible(), WAIT).toBe(true);
    await expect.poll(async () => (await target.boundingBox())?.y ?? Infinity, WAIT).toBeLessThan(600);
  });

  it.each(FILES)('$name prints, light and with all that is behind a click', async ({ file }) => {
    const page = await open('plain', file, { colorScheme: 'dark', viewport: { width: 680, height: 900 } });
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g)?.length).toBeGreaterThan(0);
    expect(pdf).toContain('/BaseFont');
    await page.emulateMedia({ media: 'print' });
    const { background, text } = await coloursOf(page);
    expect(background).toBeGreaterThan(text);
    expect(await page.evaluate(OVERFLOW)).toBe(0);
    expect(await page.evaluate(CUT)).toEqual([]);
    const inside = await page.locator('details > :not(summary)').all();
    for (const content of inside.slice(0, 3)) expect((await content.boundingBox())?.height).toBeGreaterThan(20);
    expect(inside.length).toBeGreaterThan(0);
  });

  it('keeps its signs where the user chooses the colours', async () => {
    const page = await open('plain', 'failing.en.html', { forcedColors: 'active' });
    const fill = await page.evaluate(`getComputedStyle(document.querySelector('.verdict .sign circle')).fill`);
    const around = await page.evaluate(`getComputedStyle(document.body).backgroundColor`);
    expect(fill).not.toBe(around);
  });
});
