/** What a site is requested while it is waited for. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { sourceOf, type Commits, type Hand } from '../../checks/source/fixtures/source.ts';
import type { Report } from '../../src/core/check.ts';
import type { RunRequest } from '../../src/site/types.ts';
import { waitFor } from './deploys.ts';

const PAGES = 60;
/** A site whose pages are all linked. */
const BEFORE: Readonly<Record<string, string>> = {
  'index.html': '<!doctype html><title>Docs</title><div id="app"></div>',
  'config.json': '{"homePage": "index.md"}',
  'index.md': '# Home\n',
  'llms.txt': '# Docs\n\n- [Home](index.md)\n',
  'navigation.md': `- [Home](index.md)\n${Array.from({ length: PAGES }, (_, at) => `- [Page](p${at}.md)\n`).join('')}`,
  ...Object.fromEntries(Array.from({ length: PAGES }, (_, at) => [`p${at}.md`, `# Page ${at}\n`])),
};
const TYPES: Readonly<Record<string, string>> = { html: 'text/html', json: 'application/json', md: 'text/markdown' };

interface Scene {
  readonly wants: Partial<RunRequest>;
  readonly also: readonly string[];
  /** What is live from a round on; what was before it is live before. */
  readonly after?: Readonly<Record<string, string>>;
  readonly afterRound?: number;
  readonly forMs: number;
  readonly stable?: number;
}

interface Asked {
  readonly report: Report;
  /** What each round asked for, and whether it was one over everything. */
  readonly rounds: readonly { readonly whole: boolean; readonly paths: string[] }[];
}

async function watch({ wants, also, after = {}, afterRound = Infinity, forMs, stable = 2 }: Scene): Promise<Asked> {
  const rounds: { whole: boolean; paths: string[] }[] = [];
  const server = createServer(({ url = '' }, response) => {
    const path = decodeURIComponent(url.slice(1));
    rounds.at(-1)?.paths.push(path);
    const live = rounds.length >= afterRound ? { ...BEFORE, ...after } : BEFORE;
    const body = live[path];
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': TYPES[path.split('.').at(-1) ?? ''] ?? 'text/plain',
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const report = await waitFor(url, {
      wants,
      also,
      forMs,
      stable,
      onRun: ({ pauseMs, whole }) => void (pauseMs === null && rounds.push({ whole, paths: [] })),
    });
    return { report, rounds };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const CHANGED = { 'p40.md': '# Page 40, written again\n' };
const ADDED = { 'brand-new.md': '# New\n' };

describe('a site whose old version stays live', () => {
  const rows: readonly { name: string; commits: Commits; hand?: Hand; alone: string; sooner: boolean }[] = [
    { name: 'with a history', commits: [CHANGED, BEFORE], alone: 'p40.md', sooner: true },
    { name: 'without one', commits: [CHANGED, BEFORE], hand: { remembered: false }, alone: 'p40.md', sooner: false },
    {
      name: 'with a clone of depth 1',
      commits: [{ ...BEFORE, ...CHANGED }],
      hand: { shallow: true },
      alone: 'p40.md',
      sooner: false,
    },
    { name: 'with a commit that only adds', commits: [ADDED, BEFORE], alone: 'brand-new.md', sooner: false },
  ];

  it.each(rows)('$name is asked for one file', async ({ commits, hand, alone, sooner }) => {
    const { report, rounds } = await watch({
      wants: { source: sourceOf(commits, hand) },
      also: ['source'],
      forMs: 3_000,
    });
    // Old is what an older version is known of.
    expect([report.verdict, report.fresh]).toEqual([sooner ? 'stale' : 'degraded', false]);
    // As soon as it is known what names the versions apart, nothing else is requested until the time is up.
    const first = sooner ? 0 : rounds.findIndex(({ paths }) => paths.length === 1 && paths[0] === alone);
    const later = rounds.slice(first, -1).map(({ paths }) => paths.join(' '));
    expect([...new Set(later)]).toEqual([alone]);
    const wholes = rounds.slice(0, -1).filter(({ whole }) => whole);
    expect(wholes.length).toBeLessThanOrEqual(1);
  });

  it('is not asked for the files of a commit that are new before those that changed', async () => {
    const commits = [{ ...ADDED, ...CHANGED }, BEFORE];
    const { rounds } = await watch({ wants: { source: sourceOf(commits) }, also: ['source'], forMs: 500 });
    expect(rounds.slice(0, -1).flatMap(({ paths }) => paths)).not.toContain('brand-new.md');
  });
});

describe('a site that becomes new', () => {
  it.each([
    { name: 'with a history', commits: [CHANGED, BEFORE] as Commits, after: CHANGED, hand: {} },
    { name: 'without one', commits: [CHANGED, BEFORE] as Commits, after: CHANGED, hand: { remembered: false } },
    { name: 'with a commit that only adds', commits: [ADDED, BEFORE] as Commits, after: ADDED, hand: {} },
  ])('$name is live', async ({ commits, after, hand }) => {
    const wants = { source: sourceOf(commits, hand) };
    const { report, rounds } = await watch({ wants, also: ['source'], after, afterRound: 7, forMs: 60_000 });
    expect([report.verdict, report.fresh, rounds.at(-1)?.whole]).toEqual(['healthy', true, true]);
    expect(rounds.filter(({ whole }) => whole).length).toBeLessThanOrEqual(2);
  });
});

describe('a healthy site', () => {
  it('is checked as a whole once, however many healthy runs are wanted', async () => {
    const { report, rounds } = await watch({ wants: { full: true }, also: ['links'], forMs: 1, stable: 8 });
    expect([report.verdict, rounds.filter(({ whole }) => whole).length]).toEqual(['healthy', 1]);
    expect(rounds.length).toBeLessThanOrEqual(9);
  });
});
