/** The errors that operators of a site see, as Chromium shows them, and what the command reports of each. */
import { writeFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../cli/run.ts';
import { chromiumWanted, startChromium } from '../hosts/chromium.ts';
import { freePort } from '../hosts/port.ts';
import { browse, causesOf, folderWith } from './browse.ts';
import { bundle, ENGINES, filesOf, serve, type Engine, type Files } from './engines.ts';

let browser: Browser;

beforeAll(async () => {
  if (chromiumWanted()) browser = await startChromium();
});
afterAll(() => browser?.close());

interface Shown {
  /** All that is visible. */
  readonly text: string;
  /** What the console prints in red, and in yellow. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** What a person sees who opens an address. */
async function open(address: string): Promise<Shown> {
  const page = await browser.newPage();
  const [errors, warnings]: [string[], string[]] = [[], []];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
    if (message.type() === 'warning') warnings.push(message.text());
  });
  await page.goto(address);
  await page.waitForTimeout(1_000);
  const text = await page.locator('body').innerText();
  await page.close();
  return { text: text.trim(), errors, warnings };
}

const own = (errors: readonly string[]): readonly string[] =>
  errors.filter((error) => !error.startsWith('Failed to load resource'));

const MISTAKES = [
  { code: 'trailing-comma', json: '{ "title": "Docs", }' },
  { code: 'unclosed-string', json: '{ "title": "Docs }' },
];

describe.runIf(chromiumWanted())('config.json has a syntax error', { timeout: 90_000 }, () => {
  it.each(MISTAKES)('before VertiWiki 0.4.1 the screen is blank: $code', async ({ code, json }) => {
    const { url } = await serve({ ...filesOf('old VertiWiki'), 'config.json': json });
    const { text, errors } = await open(url);
    expect(text).toBe('');
    expect(errors).toEqual([expect.stringMatching(/^SyntaxError: .*JSON/)]);
    const { status, report, rendered } = await browse(url);
    expect(status).toBe(1);
    expect(causesOf(rendered)).toEqual([['blank', `config/${code}`]]);
    expect(rendered.findings[0]?.evidence['message']).toBe(errors[0]);
    expect(report.checks.find(({ id }) => id === 'config')?.findings[0]?.location).toMatchObject({ line: 1 });
  });

  it.each(['VertiWiki', 'MDwiki'] as const)('%s warns, and continues with its defaults', async (engine) => {
    const { url } = await serve({ ...filesOf(engine), 'config.json': '{ "title": "Docs", }' });
    const { text, errors, warnings } = await open(url);
    expect(text).toContain('Welcome');
    expect({ errors, warnings }).toEqual({ errors: [], warnings: [expect.stringMatching(/defaults:.*JSON/)] });
    const { rendered, report } = await browse(url);
    expect(rendered.status).toBe('pass');
    expect(report.checks.find(({ id }) => id === 'config')?.findings).toMatchObject([
      { rule: 'config/trailing-comma', evidence: { visitors: 'defaults' } },
    ]);
  });

  it('docsify, which has its settings in the bundle, continues with its defaults', async () => {
    const broken = bundle('docsify', { settings: '{ loadSidebar: true, name: }' });
    const { url } = await serve({ ...filesOf('docsify'), 'index.html': broken });
    const { text, errors } = await open(url);
    expect(text).toContain('Welcome');
    expect(own(errors)).toEqual([expect.stringMatching(/^SyntaxError: Unexpected token/)]);
    const { status, rendered } = await browse(url);
    expect(status).toBe(1);
    expect(causesOf(rendered)).toEqual([['uncaught-exception', 'config/script-syntax']]);
  });
});

describe.runIf(chromiumWanted())('config.json cannot be fetched', { timeout: 90_000 }, () => {
  it('before VertiWiki 0.4.1 the screen is blank', async () => {
    const { url } = await serve({ ...filesOf('old VertiWiki'), 'config.json': null });
    const { text, errors } = await open(url);
    expect(text).toBe('');
    expect(own(errors)).toEqual(['NetworkError: Failed to fetch config.json']);
    const { rendered } = await browse(url);
    expect(causesOf(rendered)).toEqual([['blank', 'config/not-found']]);
    expect(rendered.findings[0]?.evidence['message']).toBe('NetworkError: Failed to fetch config.json');
  });

  it('the server is not running: that is reported, and no page is opened', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`;
    await expect(open(url)).rejects.toThrow('ERR_CONNECTION_REFUSED');
    const { status, report, rendered } = await browse(url, ['--retries', '0']);
    expect(status).toBe(1);
    expect(report.checks.flatMap(({ findings }) => findings.map(({ rule }) => rule))).toContain('bundle/refused');
    expect(rendered).toMatchObject({ status: 'skip', findings: [] });
  });
});

describe.runIf(chromiumWanted())('the site is opened from disk', { timeout: 90_000 }, () => {
  it.each(ENGINES)('%s does not show the page, and file: is refused with the reason', async (engine) => {
    const address = pathToFileURL(join(written(filesOf(engine)), 'index.html')).href;
    const { text, errors } = await open(address);
    expect(text).not.toContain('Welcome');
    expect(errors.join('\n')).toMatch(/CORS policy/);
    const { status, stderr } = await runCli(['check', address, '--browser']);
    expect(status).toBe(2);
    expect(stderr).toContain('does not work from file:');
    expect(stderr).toContain('Serve the folder over HTTP');
  });
});

it.runIf(chromiumWanted())('opened from disk, the screen is blank before VertiWiki 0.4.1', async () => {
  const { text, errors } = await open(pathToFileURL(join(written(filesOf('old VertiWiki')), 'index.html')).href);
  expect(text).toBe('');
  expect(errors).toContainEqual(expect.stringMatching(/NetworkError: Failed to fetch config.json$/));
});

/** Writes the texts of a site into a folder. */
function written(files: Files): string {
  const folder = folderWith('');
  for (const [path, content] of Object.entries(files)) {
    if (typeof content !== 'string' && !(content instanceof Uint8Array)) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

const ROUTE: Readonly<Record<Engine, string>> = {
  docsify: '#/guide/Usage',
  'old VertiWiki': '#/guide/Usage.md',
  VertiWiki: '#/guide/Usage.md',
  MDwiki: '#!guide/Usage.md',
};

describe.runIf(chromiumWanted())('a link of the navigation is written in the wrong case', { timeout: 90_000 }, () => {
  it.each(ENGINES)('%s shows 404, and the file is named that exists', async (engine) => {
    const menu = engine === 'docsify' ? '_sidebar.md' : 'navigation.md';
    const { url } = await serve({
      ...filesOf(engine),
      [menu]: '- [Setup](guide/setup.md)\n- [Usage](guide/Usage.md)\n',
    });
    expect((await open(url + ROUTE[engine])).text).toMatch(/404.*not found/i);
    const { status, report, rendered } = await browse(url, ['--full']);
    expect(status).toBe(1);
    expect(causesOf(rendered)).toEqual([['route-not-found', 'links/letter-case']]);
    expect(rendered.findings[0]?.evidence).toMatchObject({ target: 'guide/Usage.md', status: 404 });
    expect(report.checks.find(({ id }) => id === 'links')?.findings).toContainEqual(
      expect.objectContaining({ evidence: expect.objectContaining({ suggestion: 'guide/usage.md' }) }),
    );
  });
});
