/** Status pages as they are checked in a browser: one site, three, forty, many, of all kinds, hostile ones, none. */
import type { Verdict } from '../../src/core/check.ts';
import type { LocationStatus } from '../../src/monitor/locations.ts';
import type { Bucket } from '../../src/monitor/store/store.ts';
import type { StatusSource, WatchedSite } from '../../src/monitor/page/data.ts';
import { DAY, failing, HOUR, incident, MINUTE, NOW, SECOND, site, source, state, watched } from './sample.ts';
import { anyEvidence } from '../reports.ts';
import { checkedAt, openState } from '../monitor/incident/state.ts';

/** A page of a scene. */
export interface Scene {
  readonly source: StatusSource;
  readonly place: string;
}

const OVERVIEW = '';

const trailing = failing('config', 'syntax', {
  evidence: { offset: 21 },
  location: { path: 'config.json', line: 4, column: 1 },
});
const unanswered = ['bundle', 'config', 'navigation', 'home', 'llms-txt'].map((check) =>
  failing(check, 'no-answer', { evidence: { reason: 'refused', address: '192.0.2.7:443' } }),
);

const open = incident('docs', 3 * MINUTE + 12 * SECOND, null, {
  findings: [trailing],
  checks: ['config'],
  rules: ['config/syntax'],
  deploy: { version: '3f2a91c', before: '0c9de71', seenAt: NOW - 4 * MINUTE },
});
const short = incident('docs', 2 * DAY, 41_300, { findings: unanswered, checks: unanswered.map(({ check }) => check) });
const long = incident('docs', 9 * DAY, 14 * MINUTE + 3 * SECOND, {
  verdict: 'degraded',
  checks: ['links'],
  rules: ['links/missing'],
  findings: [failing('links', 'missing', { evidence: { status: 404, target: '/guide/Install.md' } })],
  flapping: true,
});
const past = [short, long];

/** Days of a site that had its troubles. */
const troubled = (ago: number): Partial<Bucket> | null => {
  if (ago > 74) return null;
  if (ago === 2) return { down: 5 };
  if (ago === 9) return { degraded: 84 };
  if (ago === 30) return { down: 4200, degraded: 300 };
  if (ago === 44) return { maintenance: 8640 };
  if (ago === 51) return { unknown: 8640 };
  return {};
};

/** The last day of a site that was down for some minutes, was worked on, and was not checked for an hour. */
const eventful = (minute: number): Partial<Bucket> | null => {
  if (minute >= 400 && minute < 460) return null;
  if (minute >= 180 && minute < 191) return { down: 6, meanMs: null, minMs: null, maxMs: null, p95Ms: null };
  if (minute >= 700 && minute < 740) return { maintenance: 6 };
  if (minute === 55) return { maxMs: 2400, p95Ms: 410 };
  return {};
};

const remembered = { incidents: past, days: { docs: troubled }, minutes: { docs: eventful } };
const docs = site('docs', { title: 'Product docs', tags: ['public'] });

const REFUSAL = {
  since: NOW - 20 * MINUTE,
  pauseMs: 5 * MINUTE,
  check: 'bundle',
  evidence: { refusal: 'challenge', product: 'Cloudflare', status: 403 },
  notified: [],
};

const ALL_KINDS: readonly WatchedSite[] = [
  watched(site('handbook', { title: 'Handbook' }), state('healthy')),
  watched(docs, state('down', [trailing], openState(open))),
  watched(site('api', { title: 'API reference' }), state('degraded', [failing('links', 'missing')])),
  watched(site('blog', { title: 'Release notes' }), state('stale', [failing('source', 'old')])),
  watched(site('labs', { title: 'Labs' }), state('unknown', [], { refusal: REFUSAL })),
  watched(site('legacy', { title: 'Legacy docs' }), state('healthy', [], checkedAt(NOW - 2 * HOUR))),
  watched(site('next', { title: 'Next' }), null),
  watched(site('intranet', { title: 'Intranet' }), state('down', unanswered), {
    from: NOW - 20 * MINUTE,
    to: NOW + 40 * MINUTE,
    reason: 'Moving to the new storage bucket',
  }),
];

const TAGS = ['public', 'internal', 'archive'];

/** So many sites, a few of them not well. */
function many(count: number, ill: (index: number) => boolean): readonly WatchedSite[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `site-${String(index + 1).padStart(4, '0')}`;
    const one = site(id, { title: `Manual ${index + 1}`, tags: [TAGS[index % 3] ?? ''].filter((tag) => tag !== '') });
    if (!ill(index)) return watched(one, state('healthy'));
    const opened = incident(id, MINUTE, null, {
      findings: unanswered,
      sameAs: index > 20 ? 'site-0008-20261120T175926250' : null,
    });
    return watched(one, state('down', unanswered, openState(opened)));
  });
}

const LONG = 'Documentația-produsului-cu-un-nume-care-nu-se-mai-termină-niciodată';

/** What breaks out of markup and attributes, moves and hides what follows, and has no end. */
const HOSTILE = `</title><script>document.title='owned'</script>"'><img src=x onerror=alert(1)> &lt;\u202e\u0000\u001b[31m${'\u0301'.repeat(40)}${'y'.repeat(400)}`;

/** What a site and a configuration can send at worst. */
function hostile(): StatusSource {
  const evidence = anyEvidence({ message: HOSTILE, list: [HOSTILE, { deep: HOSTILE }] });
  const found = failing('config', 'syntax', { evidence, location: { path: HOSTILE, line: 1, column: 1 } });
  const one = incident('docs', MINUTE, null, {
    findings: [found, failing('<img src=x onerror=alert(1)>', HOSTILE, { evidence })],
    checks: ['config', HOSTILE],
    deploy: { version: HOSTILE, before: HOSTILE, seenAt: NOW },
  });
  const over = { ...incident('docs', DAY, MINUTE), site: 'gone', checks: [HOSTILE] };
  const own = site('docs', { title: HOSTILE, tags: [HOSTILE, 'x'.repeat(300)] });
  const other = site('long', { title: `${LONG}-${LONG}` });
  return source(
    [
      { ...watched(own, state('down', [found], openState(one))), url: `javascript:alert(1)//${HOSTILE}` },
      watched(other, state('healthy'), { from: NOW - HOUR, to: NOW + HOUR, reason: HOSTILE }),
    ],
    { incidents: [over], days: { docs: troubled } },
    { title: HOSTILE },
    { troubles: ['disk-full', HOSTILE] },
  );
}

/** One that a location saw which is not configured any more. */
const seenFromSome = incident('docs', 2 * DAY, 41_300, {
  findings: [failing('bundle', 'status', { evidence: { status: 503, seenFrom: 'paris, lima, gone' } })],
  checks: ['bundle'],
  rules: ['bundle/status'],
});

/** A site of five locations: Paris sees it fail, Tokyo has no network, Lima is silent, Nairobi was never heard of. */
function located(): StatusSource {
  const titles = ['Paris', 'Bucharest', 'Tokyo', 'Lima', 'Nairobi'];
  const all = titles.map((title) => ({ id: title.toLowerCase(), title, coordinates: null }));
  const locations = new Map<string, LocationStatus>([
    ['paris', seen('down', 61, { checks: ['bundle', 'home'] })],
    ['bucharest', seen('healthy', 143)],
    ['tokyo', seen('unknown', null, { probeSide: 'no-network' })],
    ['lima', seen('healthy', 208, { at: NOW - 10 * MINUTE })],
  ]);
  const degraded = state('degraded', [], { failingFrom: ['paris'] });
  return source(
    [{ ...watched(docs, degraded), locations }, watched(site('api', { title: 'API reference' }), state('healthy'))],
    {
      incidents: [seenFromSome],
      days: { docs: troubled, 'docs@paris': troubled, 'docs@nairobi': () => null },
      minutes: { 'docs@paris': eventful, 'docs@tokyo': (minute) => (minute < 200 ? { unknown: 6, ...NO_TIMES } : {}) },
    },
    {},
    { troubles: ['location-silent', 'location-cut-off'] },
    all,
  );
}

const NO_TIMES = { meanMs: null, minMs: null, maxMs: null, p95Ms: null };

/** What a location saw last; `checks`: those that failed. */
function seen(
  verdict: Verdict,
  responseMs: number | null,
  { at = NOW - 4 * SECOND, probeSide = null, checks = [] }: Partial<LocationSeen> = {},
): LocationStatus {
  const results = ['bundle', 'config', 'navigation', 'home', 'llms-txt'].map((id, index) => {
    const status = checks.includes(id) ? ('fail' as const) : ('pass' as const);
    const ms = responseMs === null ? null : responseMs - 7 * index;
    return [id, { at, probeSide, status: probeSide === null ? status : ('unknown' as const), responseMs: ms }] as const;
  });
  return { at, verdict, probeSide, responseMs, checks: new Map(results) };
}

interface LocationSeen extends Pick<LocationStatus, 'at' | 'probeSide'> {
  readonly checks: readonly string[];
}

const gone = (): Promise<never> => Promise.reject(new Error('the database cannot be read'));

const three = [ALL_KINDS[1], ALL_KINDS[0], ALL_KINDS[2]].flatMap((one) => one ?? []);

export const SCENES = {
  'one-healthy': { source: source([watched(docs, state('healthy'))], remembered), place: OVERVIEW },
  'one-down': {
    source: source([watched(docs, state('down', [trailing], openState(open)))], remembered),
    place: OVERVIEW,
  },
  'all-healthy': {
    source: source(
      ['docs', 'handbook', 'api'].map((id) => watched(site(id), state('healthy'))),
      { incidents: [], days: { docs: (ago) => (ago === 40 ? { down: 3 } : {}) } },
      { title: 'Example status', url: 'https://status.example.com/' },
    ),
    place: OVERVIEW,
  },
  three: {
    source: source(three, { ...remembered, incidents: [open, ...past] }, { title: 'Example status' }),
    place: OVERVIEW,
  },
  'all-kinds': { source: source(ALL_KINDS, { ...remembered, incidents: [open, ...past] }), place: OVERVIEW },
  forty: {
    source: source(
      many(40, (index) => index === 7),
      { days: { 'site-0008': troubled } },
    ),
    place: OVERVIEW,
  },
  thousand: { source: source(many(1000, (index) => index % 60 === 7)), place: OVERVIEW },
  'no-data': {
    source: source([watched(docs, null), watched(site('api'), null)], { days: { docs: () => null, api: () => null } }),
    place: OVERVIEW,
  },
  'no-sites': { source: source([]), place: OVERVIEW },
  unreadable: {
    source: source(
      [watched(docs, state('healthy')), watched(site('api'), state('healthy'))],
      {},
      {},
      {
        store: {
          buckets: gone,
          days: gone,
          incident: gone,
          incidents: gone,
          maintenance: gone,
          pictures: gone,
          runs: gone,
        },
        troubles: ['store-unreadable'],
      },
    ),
    place: OVERVIEW,
  },
  site: { source: source(three, { ...remembered, incidents: [open, ...past] }), place: 'sites/docs/' },
  'site-new': {
    source: source([watched(docs, null), watched(site('api'), null)], {
      days: { docs: () => null },
      minutes: { docs: () => null },
    }),
    place: 'sites/docs/',
  },
  incident: {
    source: source(three, { ...remembered, incidents: [open, ...past] }),
    place: `incidents/${open.id}/`,
  },
  'incident-over': { source: source(three, remembered), place: `incidents/${short.id}/` },
  history: { source: source(three, { incidents: [open, ...past] }), place: 'history/' },
  located: { source: located(), place: OVERVIEW },
  'located-site': { source: located(), place: 'sites/docs/' },
  'located-incident': { source: located(), place: `incidents/${seenFromSome.id}/` },
  hostile: { source: hostile(), place: OVERVIEW },
  'hostile-site': { source: hostile(), place: 'sites/docs/' },
  missing: { source: source(three, {}), place: 'sites/nobody/' },
} satisfies Readonly<Record<string, Scene>>;

export type SceneName = keyof typeof SCENES;
export const SCENE_NAMES = Object.keys(SCENES) as SceneName[];
