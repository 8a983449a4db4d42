/** The static server of `docvitals serve` responds as the software that reads the generated configuration. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawRequest } from './ask.ts';
import { KINDS, startReal, startServe, type RunningHost } from './hosts.ts';
import { summaryOf } from './summary.ts';

/** Below the path of the site. */
const PATHS = [
  '',
  'index.html',
  'config.json',
  'index.md',
  'empty.md',
  'guide/Setup.md',
  'guide/setup.md',
  'INDEX.html',
  'llms.txt',
  'app.js',
  'files/data.json',
  'img/Logo.SVG',
  'img/logo.svg',
  'img/dot.png',
  'img/font.woff2',
  'files/plain',
  'missing.md',
  'missing.json',
  'img/missing.PNG',
  'missing',
  'missing/',
  'index.md/more.md',
  '.git/config',
  '.well-known/security.txt',
  'guide/',
  'guide',
  'v1/',
  'v1',
  'v1/index.html',
  'only/html/',
  'only/',
  'v2.0/',
  'v2.0',
  'img/',
  'guide?x=1&y=%20',
  'index.md/',
  'index.md?v=2',
  'index.md?/../config.json',
  'guide/a%20b.md',
  'guide/a+b.md',
  'guide/ghid%20%C8%99%5B1%5D.md',
  'guide/50%25.md',
  'guide/50%2525.md',
  'guide/../index.md',
  'guide/%2e%2e/index.md',
];

const PAGES = ['guide/', 'guide', '', 'v1/', 'only/html/', 'img/', 'missing/', 'index.md', 'llms.txt'];

/** `Accept` values that ask for pages: Markdown, a browser, and every order of qualities. */
const ACCEPT = [
  'text/markdown',
  'text/markdown;charset=utf-8',
  'text/html;q=0.5, text/markdown, */*;q=0.1',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  '*/*',
  'text/*',
  'text/html, text/markdown;q=0',
  'text/markdown;q=0.5, text/html',
  '*/*, text/markdown;q=0.3',
  'text/markdown, text/html',
  '',
];

const HOSTS = KINDS.flatMap((kind) =>
  ['/', '/docs/'].flatMap((base) =>
    [false, true].map((improved) => ({ kind, base, improved, rules: improved ? 'improved' : 'documented' })),
  ),
);

describe.each(HOSTS)('$kind at $base, $rules rules', ({ kind, base, improved }) => {
  let real: RunningHost;
  let served: RunningHost;
  beforeAll(async () => {
    const rules = { kind, base, improved };
    [real, served] = await Promise.all([startReal(rules), startServe(rules)]);
  });
  afterAll(() => Promise.all([real.stop(), served.stop()]));

  const responses = async ({ port }: RunningHost, requests: readonly RawRequest[]): Promise<object> => {
    const named = requests.map(async (request) => {
      const { target, headers = {} } = request;
      return [`${target} ${headers['accept'] ?? ''}`, await summaryOf(port, request)] as const;
    });
    return Object.fromEntries(await Promise.all(named));
  };

  it('responds alike for files and folders', async () => {
    const requests = PATHS.map((path) => ({ target: `${base}${path}` }));
    expect(await responses(served, requests)).toEqual(await responses(real, requests));
  });

  it('responds alike for every Accept', async () => {
    // Vercel's rule for the home page sets Cache-Control whatever file it leads to.
    const pages = PAGES.filter((path) => path !== '' || kind !== 'platform');
    const requests = pages.flatMap((path) =>
      ACCEPT.map((accept) => ({ target: `${base}${path}`, headers: { accept } })),
    );
    expect(await responses(served, requests)).toEqual(await responses(real, requests));
  });
});
