/** The HTML report in a real Chromium: drawn without scripts, under its policy, for eyes, keyboards, readers and paper. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadMessages } from '../../src/messages/load.ts';
import { htmlReport } from '../../src/report/html.ts';
import { LOCATE_NOTHING, type Locate } from '../../src/report/options.ts';
import { LANGUAGES, loadTexts, type Language } from '../../src/texts.ts';
import { chromiumWanted, startChromium } from '../hosts/chromium.ts';
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

const WIDTHS = [320, 640, 768, 1280] as const;

const inDocs: Locate = ({ path, line, column }) => ({ file: `docs/${path}`, line, column });

async function pageFor(name: ReportName, language: Language): Promise<string> {
  const [texts, messages] = await Promise.all([loadTexts(language), loadMessages(language)]);
  const locate = name === 'healthy' ? LOCATE_NOTHING : inDocs;
  return htmlReport(REPORTS[name], { texts, messages, columns: 80, colour: false, detail: 'normal', locate });
}

/** Serves every report in every language as `/<name>.<language>.html`, and remembers what was asked for. */
async function serve(asked: string[]): Promise<Server> {
  const rows = REPORT_NAMES.flatMap((name) => LANGUAGES.map((language) => ({ name, language })));
  const pages = await Promise.all(
    rows.map(async ({ name, language }) => [`/${name}.${language}.html`, await pageFor(name, language)] as const),
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

const ROWS = REPORT_NAMES.flatMap((name) => LANGUAGES.map((language) => ({ name, language })));

describe.runIf(chromiumWanted())('the HTML report in Chromium', () => {
  const asked: string[] = [];
  let browser: Browser;
  let server: Server;

  beforeAll(async () => {
    [browser, server] = await Promise.all([startChromium(), serve(asked)]);
  });

  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
  });

  /** Opens a report as a visitor without scripts, unless told otherwise, and hands it on; what the browser says is kept. */
  async function visit<T>(
    file: string,
    options: BrowserContextOptions,
    look: (page: Page, said: readonly string[]) => Promise<T>,
  ): Promise<T> {
    const context = await browser.newContext({ javaScriptEnabled: false, ...options });
    try {
      const page = await context.newPage();
      const said: string[] = [];
      page.on('console', (message) => said.push(message.text()));
      page.on('pageerror', (error) => said.push(error.message));
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${file}`);
      return await look(page, said);
    } finally {
      await context.close();
    }
  }

  it.each(ROWS)('$name in $language asks for nothing and breaks no rule of its own', async ({ name, language }) => {
    asked.length = 0;
    await visit(`${name}.${language}.html`, {}, async (page, said) => {
      expect(await page.locator('h1').isVisible()).toBe(true);
      expect(await page.evaluate(lightnessOf('body'))).not.toEqual({ background: 0, text: 0 });
      expect(said).toEqual([]);
    });
    expect(asked).toEqual([`/${name}.${language}.html`]);
  });

  it('lets nothing in that its policy does not name', async () => {
    asked.length = 0;
    await visit('hostile.en.html', { javaScriptEnabled: true }, async (page) => {
      const outcome = await page.evaluate(BREAK_POLICY);
      expect(outcome).toEqual({
        refused: ['base-uri', 'img-src', 'script-src-elem', 'style-src-attr', 'style-src-elem'],
        display: 'block',
        base: false,
      });
      expect(await page.title()).not.toBe('owned');
    });
    expect(asked).toEqual(['/hostile.en.html']);
  });

  it.each(ROWS)('$name in $language can be used by everybody, as far as axe can tell', async ({ name, language }) => {
    await visit(`${name}.${language}.html`, { javaScriptEnabled: true, colorScheme: 'light' }, async (page) => {
      await page.evaluate(OPEN_ALL);
      await page.evaluate(axe.source);
      const light = await page.evaluate<Audit>(audit());
      expect(light.broken).toEqual([]);
      expect(light.held).toEqual(expect.arrayContaining(['color-contrast', 'html-has-lang', 'list', 'heading-order']));
      // Nothing but colours is different in the dark.
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await page.evaluate(audit(['color-contrast']))).toEqual({ broken: [], held: ['color-contrast'] });
    });
  });

  it.each(REPORT_NAMES)('%s has other colours in the dark', async (name) => {
    const colours = (colorScheme: 'light' | 'dark') =>
      visit(`${name}.en.html`, { colorScheme }, (page) =>
        page.evaluate<{ background: number; text: number }>(lightnessOf('body')),
      );
    const [light, dark] = [await colours('light'), await colours('dark')];
    expect(light.background).toBeGreaterThan(light.text);
    expect(dark.background).toBeLessThan(dark.text);
  });

  it.each(ROWS)('$name in $language fits, and nothing lies on anything else', async ({ name, language }) => {
    await visit(`${name}.${language}.html`, {}, async (page) => {
      await page.evaluate(OPEN_ALL);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        const found = [await page.evaluate(OVERFLOW), await page.evaluate(CUT), await page.evaluate(OVERLAPS)];
        expect([width, ...found]).toEqual([width, 0, [], []]);
      }
    });
  });

  it('lets a keyboard reach every link and open what is closed', async () => {
    await visit('failing.en.html', {}, async (page) => {
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
  });

  it.each(['links', 'links/missing', 'links/missing/3', 'bundle', 'negotiation'])('leads to #%s', async (id) => {
    await visit(`failing.en.html#${id}`, { viewport: { width: 1280, height: 600 } }, async (page) => {
      const target = page.locator(`[id="${id}"]`);
      expect(await target.count()).toBe(1);
      await expect.poll(() => target.isVisible()).toBe(true);
      await expect.poll(async () => (await target.boundingBox())?.y ?? Infinity).toBeLessThan(600);
    });
  });

  it.each(REPORT_NAMES)('%s prints, light and with all that is behind a click', async (name) => {
    await visit(`${name}.en.html`, { colorScheme: 'dark', viewport: { width: 680, height: 900 } }, async (page) => {
      const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
      expect(pdf.match(/\/Type\s*\/Page\b/g)?.length).toBeGreaterThan(0);
      expect(pdf).toContain('/BaseFont');
      await page.emulateMedia({ media: 'print' });
      const { background, text } = await page.evaluate<{ background: number; text: number }>(lightnessOf('body'));
      expect(background).toBeGreaterThan(text);
      expect(await page.evaluate(OVERFLOW)).toBe(0);
      expect(await page.evaluate(CUT)).toEqual([]);
      const inside = await page.locator('details > :not(summary)').all();
      for (const content of inside.slice(0, 3)) expect((await content.boundingBox())?.height).toBeGreaterThan(20);
      expect(inside.length).toBeGreaterThan(0);
    });
  });

  it('keeps its signs where the user chooses the colours', async () => {
    await visit('failing.en.html', { forcedColors: 'active' }, async (page) => {
      const fill = await page.evaluate(`getComputedStyle(document.querySelector('.verdict .sign circle')).fill`);
      const around = await page.evaluate(`getComputedStyle(document.body).backgroundColor`);
      expect(fill).not.toBe(around);
    });
  });
});
