/** The pictures show what docvitals shows. `UPDATE_DOCS=1 vitest run test/docs/pictures` draws them again. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { pageFor } from '../../src/monitor/page/routes.ts';
import { runCli } from '../cli/run.ts';
import { startChromium } from '../hosts/chromium.ts';
import { listen } from '../site/host.ts';
import { SCENES } from '../page/scenes.ts';
import { viewOf } from '../page/view.ts';
import { startBrokenHost } from './broken.ts';
import { EXAMPLE, isUpdate, PAGES, ROOT, textOf } from './pages.ts';
import { terminalSvg } from './terminal-svg.ts';

const ASSETS = path.join(ROOT, 'docs', 'assets');
const OUTPUT = path.join(ASSETS, 'output.svg');
const STATUS_PAGE = path.join(ASSETS, 'status-page.png');

/** Times differ from run to run; their columns are of a fixed width. */
const steady = (text: string): string =>
  text.replaceAll(/ *\d+\sms/g, (time) => '54 ms'.padStart(time.length)).replace(/\(\d[\d.]*\ss\)/, '(0.08 s)');

describe('the picture of the output', () => {
  it('is what the command prints in colour', async () => {
    const broken = await startBrokenHost();
    const { stdout } = await runCli(['check', broken.url], { env: { COLUMNS: '100', FORCE_COLOR: '1' } });
    await broken.close();
    const output = `$ docvitals check ${EXAMPLE}\n\n${stdout.replaceAll(broken.url, EXAMPLE)}`;
    const svg = terminalSvg(steady(output), 'docvitals checks a site: three checks pass, two fail with their fixes');
    if (isUpdate) writeFileSync(OUTPUT, svg);
    expect(readFileSync(OUTPUT, 'utf8')).toBe(svg);
  });
});

describe('the drawing of a terminal', () => {
  it('escapes what SVG has as markup, and begins each span at its column', () => {
    const svg = terminalSvg('ab \u001B[31m<x> & "y"\u001B[39m\n  ✓', 'a & b');
    expect(svg).toContain('<title id="title">a &amp; b</title>');
    expect(svg).toContain('<tspan x="41.2" textLength="75.6" fill="#ff7b72">&lt;x&gt; &amp; &quot;y&quot;</tspan>');
    expect(svg).toContain('<tspan x="32.8" textLength="8.4">✓</tspan>');
  });

  it('knows all codes that it draws', () => {
    expect(() => terminalSvg('\u001B[35mx', '')).toThrow('unknown terminal code 35');
  });
});

describe('the picture of the status page', () => {
  // The bytes of a screenshot depend on the browser and the fonts: it is only drawn again when asked.
  it.runIf(isUpdate)('is drawn', async () => {
    const view = viewOf(SCENES.three.source);
    const server = await listen((request, response) => {
      const { pathname } = new URL(String(request.url), 'http://status.test');
      const search = new URLSearchParams('refresh=off');
      void pageFor(pathname, { view, search }).then((answer) =>
        response.writeHead(answer?.status ?? 404, answer?.headers).end(answer?.body),
      );
    });
    const browser = await startChromium();
    const shown = await browser.newPage({ viewport: { width: 1000, height: 780 }, javaScriptEnabled: false });
    await shown.goto(server.url);
    const picture = await shown.screenshot();
    await browser.close();
    await server.close();
    writeFileSync(STATUS_PAGE, picture);
    expect(picture.length).toBeLessThan(120_000);
  });

  it('is small', () => {
    expect(statSync(STATUS_PAGE).size).toBeLessThan(120_000);
  });
});

describe('the pages', () => {
  it('show only pictures that exist', () => {
    for (const page of PAGES) {
      const shown = [...textOf(page).matchAll(/!\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? '');
      for (const target of shown) expect(statSync(path.join(ROOT, path.dirname(page), target)).isFile()).toBe(true);
    }
  });
});
