/** What opens the pages of a site in a browser: the home page and five more. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { BIN } from './docvitals.ts';
import type { Checker, Surroundings } from './checker.ts';

const NAMES = ['Page 1', 'Page 2', 'Page 3', 'Page 4', 'Page 5'];
const ROUTES = ['', ...NAMES.map((_, index) => `#/page-${index + 1}`)];

/** A healthy docsify site. */
export function browserSite(): Map<string, string> {
  const docsify = readFileSync(createRequire(import.meta.url).resolve('docsify/dist/docsify.min.js'), 'utf8');
  const list = NAMES.map((name, index) => `- [${name}](page-${index + 1}.md)\n`).join('');
  const styles = 'body { color: #111; background: #fff } h1 a { color: #111 } .sidebar-toggle { display: none }';
  return new Map([
    [
      'index.html',
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Docs</title><meta name="viewport" content="width=device-width"><style>${styles}</style></head><body><div id="app"></div><script>window.$docsify = { loadSidebar: true }</script><script src="docsify.min.js"></script></body></html>`,
    ],
    ['docsify.min.js', docsify],
    ['README.md', '# Home\n\nWelcome.\n'],
    ['_sidebar.md', `- [Home](/)\n${list}`],
    ['llms.txt', `# Docs\n\n> Five pages.\n\n## Docs\n\n${list}`],
    ...NAMES.map((name, index): [string, string] => [`page-${index + 1}.md`, `# ${name}\n\nText of ${name}.\n`]),
  ]);
}

const common = { looksAt: 'pages', claims: ['script-missing', 'route-missing'] } as const satisfies Partial<Checker>;

const chromium = ({ peer }: Surroundings): string => peer('chromium').argv[0] ?? '';

export const docvitalsBrowser: Checker = {
  ...common,
  name: 'docvitals --browser',
  needs: ['chromium'],
  command: (at) => ({
    argv: [
      process.execPath,
      BIN,
      'check',
      at.scene.url,
      '--browser-path',
      chromium(at),
      '--browser',
      '--only',
      'rendered',
    ],
  }),
  shirked: (output) => (output.includes('×6') ? undefined : 'not all pages were opened'),
};

/** It asserts one heading on each page, and nothing else. */
export const playwright: Checker = {
  ...common,
  name: 'playwright test, one heading a page',
  needs: ['chromium', 'playwright'],
  command(at) {
    const { folder, scene, peer } = at;
    const { argv } = peer('playwright');
    const library = path.join(path.dirname(argv[1] ?? ''), 'test.mjs');
    const launchOptions = { executablePath: chromium(at), args: ['--no-sandbox', '--disable-dev-shm-usage'] };
    const tests = ROUTES.map(
      (route, index) => `test(${JSON.stringify(route)}, async ({ page }) => {
  await page.goto(${JSON.stringify(scene.url + route)});
  await expect(page.getByRole('heading', { name: ${JSON.stringify(NAMES[index - 1] ?? 'Home')}, exact: true }).first()).toBeVisible();
});\n`,
    );
    const config = { testDir: folder, testMatch: 'pages.spec.mjs', reporter: 'line', use: { launchOptions } };
    writeFileSync(path.join(folder, 'playwright.config.mjs'), `export default ${JSON.stringify(config)};\n`);
    writeFileSync(
      path.join(folder, 'pages.spec.mjs'),
      `import { expect, test } from ${JSON.stringify(library)};\n${tests.join('')}`,
    );
    return { argv: [...argv, 'test', '--config', path.join(folder, 'playwright.config.mjs')] };
  },
  shirked: (output) => (output.includes('6 passed') ? undefined : 'not all pages were opened'),
};

/** It measures much more of a page, and opens one page a run. */
export const lighthouse: Checker = {
  ...common,
  claims: [],
  name: 'lighthouse, six runs',
  needs: ['chromium', 'lighthouse'],
  command(at) {
    const { argv } = at.peer('lighthouse');
    const flags = ['--quiet', '--output=json', '--output-path=/dev/null', '--chrome-flags=--headless --no-sandbox'];
    const script = 'for url in $URLS; do "$@" "$url" || exit 1; done';
    const URLS = ROUTES.map((route) => at.scene.url + route).join(' ');
    return { argv: ['/bin/sh', '-c', script, 'sh', ...argv, ...flags], env: { URLS, CHROME_PATH: chromium(at) } };
  },
};
