import { describe, expect, it } from 'vitest';
import { sourceOf, gatherHistory, gatherOverview } from './data.ts';
import { STYLE } from './page.ts';
import { pageFor } from './routes.ts';
import type { MonitoredSite } from '../settings.ts';
import { isSilentSince } from '../site-state.ts';
import {
  DAY,
  failing,
  incident,
  MINUTE,
  NOW,
  SECOND,
  site,
  source,
  state,
  storeOf,
  watched,
} from '../../../test/page/sample.ts';
import { viewOf } from '../../../test/page/view.ts';
import { checkedAt, openState } from '../../../test/monitor/incident/state.ts';

const over = incident('docs', DAY, 41_000);
const sites = [
  watched(site('docs'), state('healthy')),
  watched(site('api'), state('down', [failing('config', 'syntax')])),
];
const view = viewOf(source(sites, { incidents: [over] }));

describe('what a path gives', () => {
  it.each([
    ['/', 200, 'text/html; charset=utf-8', '<!doctype html>\n<html lang="en">'],
    ['/ro/', 200, 'text/html; charset=utf-8', '<!doctype html>\n<html lang="ro">'],
    ['/fr/history/', 200, 'text/html; charset=utf-8', '<!doctype html>\n<html lang="fr">'],
    ['/sites/docs/', 200, 'text/html; charset=utf-8', '<!doctype html>'],
    [`/incidents/${over.id}/`, 200, 'text/html; charset=utf-8', '<!doctype html>'],
    ['/sites/nobody/', 404, 'text/html; charset=utf-8', '<!doctype html>'],
    ['/ro/incidents/nothing/', 404, 'text/html; charset=utf-8', '<!doctype html>\n<html lang="ro">'],
    ['/badge/nobody.svg', 404, 'text/html; charset=utf-8', '<!doctype html>'],
    ['/feed.atom', 200, 'application/atom+xml; charset=utf-8', '<?xml '],
    ['/fr/feed.atom', 200, 'application/atom+xml; charset=utf-8', '<?xml '],
    ['/badge.svg', 200, 'image/svg+xml; charset=utf-8', '<svg '],
    ['/badge/api.json', 200, 'application/json; charset=utf-8', '{"schemaVersion":1,'],
    ['/style.css', 200, 'text/css; charset=utf-8', ':root {'],
  ] as const)('%s', async (path, status, type, begin) => {
    const answer = await pageFor(path, { view });
    expect([answer?.status, answer?.headers['content-type']]).toEqual([status, type]);
    expect(answer?.body.startsWith(begin)).toBe(true);
  });

  it.each(['/metrics', '/api/v1/sites', '/sites/', '/index.html', '/favicon.ico', '/robots.txt'])(
    '%s is not ours',
    async (path) => {
      expect(await pageFor(path, { view })).toBeNull();
    },
  );

  it('leads on to where a page is, relatively', async () => {
    expect(await pageFor('/sites/docs', { view })).toEqual({ status: 308, headers: { location: 'docs/' }, body: '' });
  });

  it('gives pages a policy that runs nothing', async () => {
    const policy = (await pageFor('/', { view }))?.headers['content-security-policy'] ?? '';
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        `default-src 'none'`,
        `style-src 'self'`,
        `base-uri 'none'`,
        `form-action 'none'`,
        `frame-ancestors 'none'`,
      ]),
    );
    expect(policy).not.toContain('unsafe');
  });

  it.each([
    ['its version', new URLSearchParams(STYLE.version), /immutable/],
    ['another version', new URLSearchParams('0123456789'), /no-cache/],
    ['none', undefined, /no-cache/],
  ])('lets the stylesheet of %s be kept as long as it is right', async (_name, search, kept) => {
    const answer = await pageFor('/style.css', { view, ...(search === undefined ? {} : { search }) });
    expect(answer?.headers['cache-control']).toMatch(kept);
  });

  it('asks the database once for those who come together', async () => {
    let asked = 0;
    const store = storeOf();
    const counting = {
      ...store,
      incidents: (...given: Parameters<typeof store.incidents>) => ((asked += 1), store.incidents(...given)),
    };
    let now = NOW;
    const many = viewOf(source(sites, {}, {}, { store: counting }), () => now);
    await Promise.all(Array.from({ length: 20 }, () => pageFor('/history/', { view: many })));
    const together = asked;
    now += 5 * SECOND;
    await pageFor('/history/', { view: many });
    expect([together, asked]).toEqual([1, 2]);
  });
});

describe('the pictures of an incident', () => {
  const picture = { site: 'docs', route: '#/<guide>', at: NOW, bytes: Uint8Array.of(0xff, 0xd8) };
  const pictures = [
    { ...picture, incident: null },
    { ...picture, incident: over.id, bytes: Uint8Array.of(0xff, 0xd8, 1) },
  ];
  const remembered = () => ({ ...storeOf({ incidents: [over] }), pictures: () => Promise.resolve(pictures) });
  const address = `/incidents/${over.id}/`;

  it.each(['en', 'ro', 'fr'])('are on its page in %s, with the time of each', async (language) => {
    const shown = viewOf(source(sites, {}, {}, { store: remembered() }));
    const path = `${language === 'en' ? '' : `/${language}`}${address}`;
    const page = await pageFor(path, { view: shown });
    const sources = [...(page?.body ?? '').matchAll(/<img src="([^"]+)" alt="[^"]/g)].map(([, found = '']) => found);
    expect(sources.map((found) => new URL(found, `http://x${path}`).pathname)).toEqual([
      `${address}good.jpg`,
      `${address}bad.jpg`,
    ]);
    expect(page?.body).toContain('#/&lt;guide&gt;');
    expect(page?.headers['content-security-policy']).toContain("img-src 'self'");
  });

  it('are served as they are', async () => {
    const shown = viewOf(source(sites, {}, {}, { store: remembered() }));
    const answers = await Promise.all(
      ['good', 'bad', 'other'].map((name) => pageFor(`${address}${name}.jpg`, { view: shown })),
    );
    expect(answers.map((answer) => [answer?.headers['content-type'], answer?.bytes?.length])).toEqual([
      ['image/jpeg', 2],
      ['image/jpeg', 3],
      [undefined, undefined],
    ]);
  });

  it('are not for the public', async () => {
    const shown = viewOf(source(sites, {}, { details: false }, { store: remembered() }));
    expect((await pageFor(address, { view: shown }))?.body).not.toContain('<img');
    expect(await pageFor(`${address}bad.jpg`, { view: shown })).toMatchObject({ status: 404 });
  });
});

describe('when nothing is known of a site', () => {
  const every = (everyMs: number, rest: Partial<MonitoredSite> = {}) =>
    site('docs', { schedule: { kind: 'every', everyMs, jitterMs: 0 }, ...rest });
  const cron = (pattern: string) =>
    site('docs', { schedule: { kind: 'cron', pattern, timeZone: 'Etc/UTC', jitterMs: 0 } });
  const grace = 15 * SECOND;

  it.each([
    ['every 10 s', every(10 * SECOND), 30 * SECOND + grace],
    ['every hour', every(60 * MINUTE), 180 * MINUTE + grace],
    [
      'rounds that may take long',
      every(10 * SECOND, { checking: { ...site('x').checking, limits: { deadlineMs: 60 * SECOND } } }),
      90 * SECOND,
    ],
    // 18:05, 18:10, 18:15 come after 18:00:12.
    ['each five minutes', cron('*/5 * * * *'), 15 * MINUTE - 12 * SECOND + grace],
    // Saturday, Sunday, Monday at 06:00 come after Friday at 18:00:12.
    ['each morning', cron('0 6 * * *'), 2 * DAY + 12 * 60 * MINUTE - 12 * SECOND + grace],
  ])('%s', (_name, of, after) => {
    expect([0, 1].map((more) => isSilentSince(of, NOW, NOW + after + more))).toEqual([false, true]);
  });

  it.each([
    ['30 s', 30 * SECOND, 'healthy'],
    ['46 s', 46 * SECOND, 'unknown'],
    ['a day', DAY, 'unknown'],
  ])('%s ago it was well, asked every 10 s', async (_name, ago, kind) => {
    const { rows } = await gatherOverview(source([watched(site('docs'), state('healthy', [], checkedAt(NOW - ago)))]));
    expect(rows[0]?.status).toMatchObject({ kind, last: 'healthy' });
  });
});

describe('an open incident', () => {
  it('is shown by its site before it is in the database', async () => {
    const open = incident('docs', MINUTE, null);
    const running = viewOf(source([watched(site('docs'), state('down', [], openState(open)))]));
    const { rows } = await gatherHistory(sourceOf(running));
    expect(rows[0]?.incident).toEqual(open);
  });
});
