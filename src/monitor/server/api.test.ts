/** The API: what it answers, and that this is what its description says. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { PROBLEMS } from './request.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../locales/language.ts';
import { reportOf, finding } from '../../../test/reports.ts';
import { ask, askJson, closeAll, serve } from '../../../test/server/client.ts';
import {
  healthy,
  incidentOf,
  memory,
  NOON,
  settingsOf,
  siteOf,
  siteViewOf,
  stateOf,
  viewOf,
  type Remembered,
} from '../../../test/server/view.ts';
import { openState } from '../../../test/monitor/incident/state.ts';

afterEach(closeAll);

const MINUTE = 60_000;
const iso = (ms: number): string => new Date(ms).toISOString();

const over = incidentOf({
  id: 'docs-over',
  verdict: 'degraded',
  startedAt: NOON - 10 * MINUTE,
  detectedAt: NOON - 9 * MINUTE,
  recoveredAt: NOON - 10 * MINUTE + 41_000,
});
const open = incidentOf();
const other = incidentOf({
  id: 'wiki-1',
  site: 'wiki',
  detectedAt: NOON - 5 * MINUTE,
  flapping: true,
  deploy: { version: 'v2', before: null, seenAt: NOON - 6 * MINUTE },
});

const sites = [
  siteOf({ tags: ['public'] }),
  siteOf({ id: 'wiki', url: 'https://wiki.example/' }),
  siteOf({ id: 'new' }),
];
const down = reportOf(
  [
    { id: 'bundle', httpStatus: 503, findings: [finding({ rule: 'status' })] },
    { id: 'config', status: 'pass' },
  ],
  { verdict: 'down' },
);

function monitor(remembered: Remembered = memory({ incidents: [over, open, other] })) {
  const views = [
    siteViewOf(sites[0] ?? siteOf(), down, {
      state: stateOf(down, openState(open)),
      maintenance: { from: NOON - 1, to: NOON + MINUTE, reason: 'new disks' },
    }),
    siteViewOf(sites[1] ?? siteOf(), healthy()),
    siteViewOf(sites[2] ?? siteOf(), null, { nextAt: null }),
  ];
  return viewOf({ remembered, settings: () => settingsOf({ sites }), sites: () => views });
}

const serveIt = (remembered?: Remembered): Promise<string> => serve({ view: monitor(remembered) });

describe('incidents', () => {
  it('have the keys that callers rely on', async () => {
    const [first] = (await askJson(await serveIt(), '/api/v1/incidents?open=false')) as object[];
    expect(first).toEqual({
      id: 'docs-over',
      site: 'docs',
      verdict: 'degraded',
      checks: ['bundle'],
      rules: ['bundle/status'],
      startedAt: iso(NOON - 10 * MINUTE),
      detectedAt: iso(NOON - 9 * MINUTE),
      notifiedAt: iso(NOON - 119_000),
      recoveredAt: iso(NOON - 10 * MINUTE + 41_000),
      durationMs: 41_000,
      recoveryTimeObjectiveMs: 60_000,
      recoveryTimeObjectiveMet: true,
    });
  });

  it('have null for what is not known while they are open', async () => {
    const [first] = (await askJson(await serveIt(), '/api/v1/incidents')) as Record<string, unknown>[];
    expect([first?.['recoveredAt'], first?.['durationMs'], first?.['recoveryTimeObjectiveMet']]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it.each([
    ['all, the newest first', '', ['docs-20261120T115800000', 'wiki-1', 'docs-over']],
    ['of a site', '?site=docs', ['docs-20261120T115800000', 'docs-over']],
    ['of a site that is unknown', '?site=nobody', []],
    ['open ones', '?open=true', ['docs-20261120T115800000', 'wiki-1']],
    ['those that are over', '?open=false', ['docs-over']],
    ['since a time', `?since=${iso(NOON - 5 * MINUTE)}`, ['docs-20261120T115800000', 'wiki-1']],
    ['before a time', `?before=${iso(NOON - 5 * MINUTE)}`, ['docs-over']],
    ['with a zone', `?before=${encodeURIComponent('2026-11-20T13:55:00+02:00')}`, ['docs-over']],
    ['of a day', '?since=2026-11-20&before=2026-11-21', ['docs-20261120T115800000', 'wiki-1', 'docs-over']],
    ['a few', '?limit=1', ['docs-20261120T115800000']],
    ['with an empty parameter', '?site=', ['docs-20261120T115800000', 'wiki-1', 'docs-over']],
  ])('%s', async (_, query, ids) => {
    const told = (await askJson(await serveIt(), `/api/v1/incidents${query}`)) as { id: string }[];
    expect(told.map(({ id }) => id)).toEqual(ids);
  });

  it.each([
    ['site=docs&site=wiki', 'site'],
    ['open=yes', 'open'],
    ['since=yesterday', 'since'],
    ['since=2026-11-20T12:00:00', 'since'],
    ['since=1795176000000', 'since'],
    ['before=2026-13-01', 'before'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1e2', 'limit'],
    ['sites=docs', 'sites'],
  ])('refuse %s', async (query, parameter) => {
    const told = await ask(await serveIt(), `/api/v1/incidents?${query}`);
    expect([told.status, JSON.parse(told.text)]).toMatchObject([400, { code: 'bad-parameter', parameter }]);
  });

  it('are read page by page without missing those of the same moment', async () => {
    const at = [1, 2, 2, 2, 3, 4, 4, 5, 5];
    const incidents = at.map((second, index) =>
      incidentOf({ id: `docs-${index}`, detectedAt: NOON + second * 1_000, recoveredAt: null }),
    );
    const base = await serveIt(memory({ incidents }));
    const read: string[] = [];
    let next: string | undefined = '/api/v1/incidents?limit=2';
    while (next !== undefined) {
      const { text, headers } = await ask(base, next);
      read.push(...(JSON.parse(text) as { id: string }[]).map(({ id }) => id));
      next = /^<([^>]+)>; rel="next"$/.exec(headers['link'] ?? '')?.[1];
    }
    expect(read.toSorted()).toEqual(incidents.map(({ id }) => id).toSorted());
  });

  it('are found by their id while they cannot be written', async () => {
    const base = await serveIt(memory());
    expect(await askJson(base, `/api/v1/incidents/${open.id}`)).toMatchObject({ id: open.id });
  });
});

describe('one incident', () => {
  it.each([
    ['in the language of the page', '', 'en'],
    ['in the language that is asked for', '?lang=fr', 'fr'],
  ])('has problem and fix %s', async (_, query, language) => {
    const told = await ask(await serveIt(), `/api/v1/incidents/${open.id}${query}`);
    const body = JSON.parse(told.text) as { findings: Record<string, unknown>[]; language: string };
    expect([body.language, told.headers['content-language']]).toEqual([language, language]);
    expect(body.findings).toEqual([
      {
        check: 'bundle',
        rule: 'bundle/status',
        problem: expect.stringMatching(/\w/),
        fix: expect.stringMatching(/\w/),
        evidence: { status: 503 },
        location: null,
        excerpt: null,
      },
    ]);
  });

  it.each([
    ['an id that is unknown', '/api/v1/incidents/nobody', 404, 'unknown-incident'],
    ['a language that is unknown', `/api/v1/incidents/${open.id}?lang=de`, 400, 'bad-parameter'],
  ])('refuses %s', async (_, path, status, code) => {
    const told = await ask(await serveIt(), path);
    expect([told.status, (JSON.parse(told.text) as { code: string }).code]).toEqual([status, code]);
  });
});

describe('sites of several locations', () => {
  const all = [
    { id: 'paris', title: 'Paris', coordinates: { latitude: 48.86, longitude: 2.35 } },
    { id: 'lima', title: 'lima', coordinates: null },
    { id: 'tokyo', title: 'Tokyo', coordinates: null },
  ];
  const site = siteOf({ locations: ['paris', 'lima'] });
  const serveThem = () =>
    serve({
      view: viewOf({
        settings: () => settingsOf({ sites: [site], locations: all }),
        sites: () => [
          siteViewOf(site, healthy(), {
            state: { ...stateOf(healthy()), verdict: 'degraded', failingFrom: ['paris'] },
            locations: new Map([
              ['paris', { at: NOON - 1_000, verdict: 'down', probeSide: null, responseMs: 61, checks: new Map() }],
            ]),
          }),
        ],
        fleet: {
          members: () => [
            {
              id: 'runner-1',
              role: 'runner',
              location: 'paris',
              version: '1.2.3',
              host: 'machine',
              pid: 7,
              startedAt: NOON - MINUTE,
              silentMs: 900,
              running: 1,
              acting: true,
              problems: ['no-network'],
            },
          ],
          backlog: () => Promise.resolve(new Map([['lima', 3]])),
        },
      }),
    });

  it('have what each location saw last, and from where they fail', async () => {
    const [told] = (await askJson(await serveThem(), '/api/v1/sites')) as object[];
    expect(told).toMatchObject({
      verdict: 'degraded',
      failingFrom: ['paris'],
      locations: [
        {
          id: 'paris',
          title: 'Paris',
          latitude: 48.86,
          longitude: 2.35,
          verdict: 'down',
          checkedAt: iso(NOON - 1_000),
          responseMs: 61,
          probeSide: null,
        },
        { id: 'lima', latitude: null, verdict: 'unknown', checkedAt: null, responseMs: null },
      ],
    });
  });

  it('have a history of each location', async () => {
    const base = await serveThem();
    const path = '/api/v1/sites/docs/history?resolution=run&location=';
    expect(await askJson(base, `${path}paris`)).toMatchObject({ site: 'docs', location: 'paris', entries: [] });
    expect(await askJson(base, path)).not.toHaveProperty('location');
    const refused = await ask(base, `${path}tokyo`);
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([400, { parameter: 'location' }]);
  });

  it('have runners and coordinators', async () => {
    expect(await askJson(await serveThem(), '/api/v1/fleet')).toMatchObject({
      locations: [
        { id: 'paris', runners: 1, backlog: 0 },
        { id: 'lima', runners: 0, backlog: 3 },
        { id: 'tokyo', runners: 0, backlog: 0 },
      ],
      members: [{ host: 'machine', version: '1.2.3', heartbeatAt: iso(NOON - 900), problems: ['no-network'] }],
    });
    expect(await askJson(await serveIt(), '/api/v1/fleet')).toEqual({ locations: [], members: [] });
  });
});

describe('sites', () => {
  it('are reported as they are now, in the order of the configuration', async () => {
    const told = (await askJson(await serveIt(), '/api/v1/sites')) as Record<string, unknown>[];
    expect(told.map(({ id, verdict, incident }) => [id, verdict, incident])).toEqual([
      ['docs', 'down', open.id],
      ['wiki', 'healthy', null],
      ['new', 'unknown', null],
    ]);
    expect(told[0]).toMatchObject({ tags: ['public'], maintenance: { to: iso(NOON + MINUTE), reason: 'new disks' } });
  });

  it('have their checks', async () => {
    const { checks } = (await askJson(await serveIt(), '/api/v1/sites/docs')) as { checks: unknown };
    expect(checks).toMatchObject([
      {
        id: 'bundle',
        status: 'fail',
        httpStatus: 503,
        findings: [{ rule: 'bundle/status', severity: 'error', count: 1 }],
      },
      { id: 'config', status: 'pass', findings: [] },
    ]);
  });

  it.each(['/api/v1/sites/nobody', '/api/v1/sites/nobody/history', '/api/v1/sites/__proto__'])(
    '%s is unknown',
    async (path) => {
      expect(JSON.parse((await ask(await serveIt(), path)).text)).toMatchObject({ status: 404, code: 'unknown-site' });
    },
  );
});

const bucket = (at: number) => ({
  site: 'docs',
  at,
  runs: 360,
  healthy: 358,
  degraded: 0,
  down: 2,
  stale: 0,
  unknown: 0,
  maintenance: 0,
  meanMs: 12.5,
  minMs: 8,
  maxMs: 80,
  p95Ms: null,
});
const round = (startedAt: number) => ({
  site: 'docs',
  scope: 'core' as const,
  startedAt,
  durationMs: 40,
  verdict: 'down' as const,
  maintenance: false,
  ticks: 1,
  checks: [{ id: 'bundle', status: 'fail' as const, rules: ['bundle/status'], httpStatus: 503, durationMs: 4 }],
});

describe('history', () => {
  const remembered = (): Remembered =>
    memory({
      buckets: [bucket(NOON - 120 * MINUTE), bucket(NOON - 60 * MINUTE)],
      runs: [round(NOON - 10_000), round(NOON)],
    });

  it.each([
    ['by hour', '', [iso(NOON - 120 * MINUTE), iso(NOON - 60 * MINUTE)]],
    ['from a time on', `?resolution=minute&from=${iso(NOON - 60 * MINUTE)}`, [iso(NOON - 60 * MINUTE)]],
    ['until before a time', `?resolution=day&to=${iso(NOON - 60 * MINUTE)}`, [iso(NOON - 120 * MINUTE)]],
    ['round by round', '?resolution=run', [iso(NOON - 10_000)]],
  ])('%s', async (_, query, times) => {
    const told = (await askJson(await serveIt(remembered()), `/api/v1/sites/docs/history${query}`)) as {
      entries: { at: string }[];
    };
    expect(told.entries.map(({ at }) => at)).toEqual(times);
  });

  it.each(['resolution=week', 'from=now', `from=${iso(NOON)}&to=${iso(NOON - 1)}`, 'limit=10001', 'zone=UTC'])(
    'refuses %s',
    async (query) => {
      expect((await ask(await serveIt(), `/api/v1/sites/docs/history?${query}`)).status).toBe(400);
    },
  );
});

describe('maintenance', () => {
  const view = viewOf({
    remembered: memory({ maintenance: [{ id: '1', site: 'docs', from: NOON - 1, to: NOON + MINUTE, reason: null }] }),
    settings: () =>
      settingsOf({
        sites: [
          siteOf({ maintenance: [{ kind: 'once', from: NOON + 5 * MINUTE, to: NOON + 9 * MINUTE, reason: 'move' }] }),
          siteOf({
            id: 'wiki',
            maintenance: [{ kind: 'recurring', pattern: '0 3 * * *', timeZone: 'UTC', forMs: MINUTE, reason: null }],
          }),
        ],
      }),
  });

  it.each([
    [
      'of all',
      '',
      [
        ['docs', 'current'],
        ['docs', 'coming'],
        ['wiki', 'coming'],
      ],
    ],
    ['of one', '?site=wiki', [['wiki', 'coming']]],
  ])('%s', async (_, query, told) => {
    const got = (await askJson(await serve({ view }), `/api/v1/maintenance${query}`)) as {
      site: string;
      state: string;
    }[];
    expect(got.map(({ site, state }) => [site, state])).toEqual(told);
  });
});

describe('the description', () => {
  let document: {
    paths: Record<string, { get: { responses: Record<string, { content: Record<string, { schema: object }> }> } }>;
    components: { schemas: Record<string, object> };
  };
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  beforeAll(async () => {
    document = (await askJson(await serveIt(), '/api/v1/openapi.json')) as typeof document;
    ajv.addSchema(document, 'api');
  });

  it.each(LANGUAGES)('is OpenAPI, in %s', async (lang) => {
    const told = (await ask(await serveIt(), `/api/v1/openapi.json?lang=${lang}`)).text;
    expect(await new Validator().validate(told)).toMatchObject({ valid: true });
  });

  it.each([
    ['/api/v1/incidents', '/api/v1/incidents'],
    ['/api/v1/incidents/{id}', `/api/v1/incidents/${open.id}`],
    ['/api/v1/incidents/{id}', `/api/v1/incidents/${other.id}`],
    ['/api/v1/sites', '/api/v1/sites'],
    ['/api/v1/sites/{id}', '/api/v1/sites/docs'],
    ['/api/v1/sites/{id}', '/api/v1/sites/new'],
    ['/api/v1/sites/{id}/history', '/api/v1/sites/docs/history'],
    ['/api/v1/sites/{id}/history', '/api/v1/sites/docs/history?resolution=run'],
    ['/api/v1/maintenance', '/api/v1/maintenance'],
    ['/api/v1/openapi.json', '/api/v1/openapi.json'],
  ])('of %s is that of what %s answers', async (path, asked) => {
    const remembered = memory({
      incidents: [over, open, other],
      buckets: [bucket(NOON - 60 * MINUTE)],
      runs: [round(NOON - 10_000)],
      maintenance: [{ id: '1', site: 'docs', from: NOON - 1, to: NOON + MINUTE, reason: null }],
    });
    const { status, text } = await ask(await serveIt(remembered), asked);
    expect(status).toBe(200);
    const pointer = path.replaceAll('~', '~0').replaceAll('/', '~1');
    const validate = ajv.compile({
      $ref: `api#/paths/${encodeURIComponent(pointer)}/get/responses/200/content/application~1json/schema`,
    });
    expect({ valid: validate(JSON.parse(text)), errors: validate.errors }).toEqual({ valid: true, errors: null });
  });

  it('names every code of a problem', () => {
    expect(document.components.schemas['Problem']).toMatchObject({
      properties: { code: { enum: Object.keys(PROBLEMS) } },
    });
  });

  it('of problems is that of what is answered to mistakes', async () => {
    const base = await serveIt();
    const validate = ajv.compile({ $ref: 'api#/components/schemas/Problem' });
    for (const path of [
      '/api/v1/incidents?limit=0',
      '/api/v1/sites/nobody',
      '/api/v1/nothing',
      '/probe',
      '/probe?target=docs&module=x',
    ]) {
      expect([path, validate(await askJson(base, path))]).toEqual([path, true]);
    }
  });
});
