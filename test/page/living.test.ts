/** The status page, the API, the feeds and the notifications of a built monitor that watches sites in all conditions. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { API_PATHS, fitting, fittingApi, fittingMetrics } from '../contracts.ts';
import { startReceiver, type Receiver } from '../alerts/receiver.ts';
import { makeProject, startProcess, type MonitorProcess, type Project } from '../monitor/process.ts';
import { startWatchedHost, type WatchedHost } from '../monitor/watched-host.ts';

/** The machine may be busy. */
const PATIENCE = { timeout: 20_000, interval: 50 };

const FILES: readonly (readonly [string, string])[] = [
  ['index.html', '<!doctype html><title>Docs</title><div id="app"></div>'],
  ['config.json', '{}'],
  ['navigation.md', '# Docs\n\n- [Home](index.md)\n- [Guide](guide.md)\n'],
  ['index.md', '# Docs\n\nAll about it.\n'],
  ['guide.md', '# Guide\n\nHow it works.\n'],
  ['llms.txt', '# Docs\n\n- [Guide](guide.md): how it works\n'],
  ['robots.txt', 'User-agent: *\nAllow: /\n'],
];

let hosts: WatchedHost[];
let links: WatchedHost | undefined;
let receiver: Receiver;
let config: object;
let project: Project;
let monitor: MonitorProcess;
let address: string;

/** Asks the monitor's server. */
async function get(place: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(new URL(place, address), { headers });
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
}

/** Nothing listens there, and no other test's server ever does. */
const GONE = 'http://127.0.0.1:1/';

/** The incidents of a site, the newest first. */
const incidentsOf = async (site: string) =>
  fittingApi('/api/v1/incidents', (await get(`/api/v1/incidents?site=${site}`)).text) as {
    readonly id: string;
    readonly startedAt: string;
    readonly detectedAt: string;
    readonly recoveredAt: string | null;
  }[];

/** When the links of a site were checked last. */
const wholeAt = async (site: string): Promise<string | undefined> =>
  /"id":"links","status":"[a-z]+","at":"([^"]+)"/.exec((await get(`/api/v1/sites/${site}`)).text)?.[1];

beforeAll(async () => {
  hosts = await Promise.all(Array.from({ length: 2 }, () => startWatchedHost()));
  for (const { files } of hosts) {
    files.clear();
    for (const [file, text] of FILES) files.set(file, text);
  }
  receiver = await startReceiver();
  const site = (id: string, url: string, rest: object = {}): object => ({
    id,
    title: `${id} wiki`,
    url,
    every: '1s',
    full: { every: '3s' },
    recoveryTimeObjective: '2s',
    confirm: { after: '50ms', times: 2 },
    ...rest,
  });
  const [, back] = hosts;
  [links] = hosts;
  if (links === undefined || back === undefined) throw new Error('no host');
  back.condition = 'reset';
  config = {
    sites: [
      site('links', links.url),
      site('back', back.url, { every: '5s', confirm: { after: '30s', times: 1 }, recover: { times: 20 } }),
      site('gone', GONE),
    ],
    alerts: [
      { id: 'ops', webhook: { url: `${receiver.url}/topic`, template: 'ntfy' } },
      { id: 'raw', findings: 'each', webhook: { url: `${receiver.url}/raw` } },
    ],
    monitor: { listen: '127.0.0.1:0' },
  };
  project = makeProject(config);
  monitor = await startProcess(project);
  address = String((await monitor.told('monitor-started'))['url']);
  await vi.waitUntil(async () => (await incidentsOf('back')).length > 0, PATIENCE);
  back.condition = 'well';
  await vi.waitUntil(() => wholeAt('links'), PATIENCE);
  links.files.delete('guide.md');
  await vi.waitUntil(() => receiver.received.some(({ body }) => body.includes('"findings-')), PATIENCE);
});

afterAll(async () => {
  monitor.child.kill('SIGTERM');
  await monitor.ended;
  await Promise.all([receiver.stop(), ...hosts.map((host) => host.close())]);
  project.remove();
});

describe('a dead link', () => {
  it('is a finding at its site, on the pages, in the API and in the metrics, and no incident', async () => {
    expect(await incidentsOf('links')).toEqual([]);
    const site = fittingApi('/api/v1/sites/{id}', (await get('/api/v1/sites/links')).text);
    expect(site).toMatchObject({
      verdict: 'degraded',
      incident: null,
      findingCount: 1,
      findings: [{ rule: 'links/missing', location: { path: 'navigation.md', line: 4 } }],
    });
    const metrics = fittingMetrics((await get('/metrics')).text);
    expect(metrics).toContain('docvitals_findings{site="links",check="links",rule="links/missing",severity="error"} 1');
    expect(metrics).toContain('docvitals_incident_open{site="links"} 0');
    const notes = ['no incident is open', 'nu este deschis niciun incident', 'aucun incident n’est donc ouvert'];
    for (const [index, prefix] of ['', 'ro/', 'fr/'].entries()) {
      const page = (await get(`/${prefix}sites/links/`)).text;
      const findings = page.slice(page.indexOf('id="_findings"'));
      expect(findings).toContain(notes[index]);
      expect(findings).toContain('navigation.md:4');
      expect((await get(`/${prefix}`)).text).toMatch(/<a href="[./a-z]*sites\/links\/#_findings">/);
    }
  });

  it('is notified once, also by a monitor that was started again', async () => {
    const lists = () =>
      receiver.received
        .filter(({ path }) => path === '/raw')
        .map(({ body }) => fitting('webhook', body) as { readonly event: string; readonly findings: unknown })
        .filter(({ event }) => event === 'findings');
    expect(lists()).toMatchObject([{ incident: null, site: { id: 'links' }, findings: [{ rule: 'links/missing' }] }]);
    monitor.child.kill('SIGTERM');
    await monitor.ended;
    monitor = await startProcess(project);
    address = String((await monitor.told('monitor-started'))['url']);
    const firstAt = await wholeAt('links');
    await vi.waitUntil(async () => (await wholeAt('links')) !== firstAt, PATIENCE);
    links?.files.set('guide.md', '# Guide\n\nSee [more](more.md).\n');
    await vi.waitUntil(() => lists().length > 1, PATIENCE);
    expect(lists().map(({ findings }) => findings)).toMatchObject([
      [{ rule: 'links/missing', evidence: { target: 'guide.md' } }],
      [{ rule: 'links/missing', evidence: { target: 'more.md' } }],
    ]);
  });
});

describe('a site that works again while its incident is open', () => {
  const STATES = ['unstable', 'instabil', 'instable'];

  it('has one state, on every page, in badges, terminal, API and metrics', async () => {
    const { verdict, incident } = fittingApi('/api/v1/sites/{id}', (await get('/api/v1/sites/back')).text) as Record<
      string,
      unknown
    >;
    expect([verdict, incident]).toEqual(['unstable', (await incidentsOf('back'))[0]?.id]);
    const metrics = fittingMetrics((await get('/metrics')).text);
    expect(metrics).toContain('docvitals_verdict{site="back",verdict="unstable"} 1');
    expect(metrics).toContain('docvitals_verdict{site="back",verdict="healthy"} 0');
    const { stdout } = await project.run(['status', '--format', 'json']);
    expect((fitting('status', stdout) as { sites: unknown[] }).sites[1]).toMatchObject({
      id: 'back',
      verdict: 'unstable',
    });
    for (const [index, prefix] of ['', 'ro/', 'fr/'].entries()) {
      const state = STATES[index] ?? '';
      const badge = JSON.parse((await get(`/${prefix}badge/back.json`)).text) as { readonly message: string };
      expect(badge.message).toBe(state);
      const page = (await get(`/${prefix}sites/back/`)).text;
      // The banner, the incident below it, the title of the window.
      expect(page).toMatch(new RegExp(`<h1 id="_verdict">back wiki [^<]*${state}</h1>`));
      expect(page).toMatch(new RegExp(`<h3 [^>]*>.*<a [^>]*>back wiki\\s?: ${state}</a></h3>`));
      expect(page).not.toContain('class="verdict pass"');
      const terminal = await project.run(['status', '--lang', prefix.slice(0, 2) || 'en']);
      expect(terminal.stdout.toLowerCase()).toMatch(new RegExp(`${state} +back`));
      expect(terminal.status).toBe(1);
    }
  });
});

describe('the pages of a monitor in its first minutes', () => {
  const pages = (place: string) =>
    Promise.all(['', 'ro/', 'fr/'].map(async (prefix) => (await get(`/${prefix}${place}`)).text));
  const main = (page: string): string => page.slice(page.indexOf('<main'), page.indexOf('</main>'));

  it('show the last hour and the last checks, minute by minute', async () => {
    const titles = [
      'Response time in the last hour',
      'Timpul de răspuns în ultima oră',
      'Temps de réponse de la dernière heure',
    ];
    const ago = ['9 minutes ago', 'acum 9 minute', 'il y a 9 minutes'];
    const checks = ['Last checks', 'Ultimele verificări', 'Derniers contrôles'];
    for (const [index, page] of (await pages('sites/links/')).entries()) {
      for (const wanted of [titles, ago, checks]) expect(page).toContain(wanted[index]);
      expect(
        page.match(/<table class="last-checks">.*?<\/table>/s)?.[0].match(/<tr class="pass">/g)?.length,
      ).toBeGreaterThan(2);
    }
    for (const [index, page] of (await pages('')).entries()) expect(page).toContain(ago[index]);
  });

  it('do not call a refused connection fast, nor a site that is down faultless', async () => {
    const none = [
      'No response was received in this time.',
      'nu s-a primit niciun răspuns',
      'Aucune réponse n’a été reçue',
    ];
    for (const [index, page] of (await pages('sites/gone/')).entries()) {
      expect(page).toContain(none[index]);
      expect(main(page)).not.toMatch(/\d ms/);
      expect(page).not.toMatch(/No minute with|Niciun minut|Aucune minute/);
    }
    const { entries } = fittingApi(
      '/api/v1/sites/{id}/history',
      (await get('/api/v1/sites/gone/history?resolution=minute')).text,
    ) as { readonly entries: readonly { readonly meanMs: number | null }[] };
    expect(new Set(entries.map(({ meanMs }) => meanMs))).toEqual(new Set([null]));
  });

  it('lead from a warning to its finding and fix', async () => {
    for (const page of await pages('sites/links/')) {
      const [, target] =
        /<tr class="warn"><th scope="row">[^<]*<\/th>.*?<a href="#(_findings-caching)">/.exec(page) ?? [];
      expect(target).toBe('_findings-caching');
      const found = page.slice(page.indexOf(`id="${target}"`));
      expect(found.indexOf('caching/')).toBeGreaterThan(0);
      expect(found).toContain('<p class="fix">');
    }
  });

  it('load themselves again', async () => {
    expect(main((await get('/?refresh=off')).text)).toContain('href="?"');
    expect((await get('/?refresh=off')).text).not.toContain('http-equiv="refresh"');
    for (const place of ['', 'sites/gone/'])
      for (const page of await pages(place)) expect(page).toContain('<meta http-equiv="refresh" content="30">');
  });
});

describe('an incident that is over', () => {
  it('does not look as if the site were down', async () => {
    links?.files.delete('index.md');
    await vi.waitUntil(async () => (await incidentsOf('links')).length > 0, PATIENCE);
    links?.files.set('index.md', '# Docs\n\nAll about it.\n');
    await vi.waitUntil(async () => ((await incidentsOf('links'))[0]?.recoveredAt ?? null) !== null, PATIENCE);
    const words = [
      'links wiki: degraded, recovered',
      'links wiki: degradat, restabilit',
      'links wiki\u00a0: dégradé, rétabli',
    ];
    for (const [index, prefix] of ['', 'ro/', 'fr/'].entries()) {
      // The list is read from the database, which is written a moment later.
      const list = await vi.waitFor(async () => {
        const [, past] = (await get(`/${prefix}`)).text.split('id="_past"');
        expect(past).toContain(words[index]);
        return past ?? '';
      }, PATIENCE);
      expect(list).toContain('class="sign pass"');
      expect(list).not.toContain('class="sign fail"');
    }
  });
});

describe('a notification', () => {
  it('that only tries out a route is marked as a test', async () => {
    expect((await project.run(['alert', 'test', 'raw'])).status).toBe(0);
    const bodies = receiver.received
      .filter(({ path }) => path === '/raw')
      .map(({ body }) => fitting('webhook', body) as object);
    expect(bodies.at(-1)).toMatchObject({ test: true });
    expect(
      bodies.filter((body) => 'test' in body),
      'no other',
    ).toHaveLength(1);
  });
});

describe('a feed', () => {
  it('leads to the status page, never to the site that is monitored', async () => {
    for (const prefix of ['', 'ro/', 'fr/']) {
      const atom = (await get(`/${prefix}feed.atom`)).text;
      expect(atom).toContain(`<link rel="alternate" type="text/html" href="${address}${prefix}"/>`);
      expect(atom).toContain(`<link rel="alternate" type="text/html" href="${address}${prefix}incidents/`);
      for (const { url } of hosts) expect(atom).not.toContain(`${url}<`);
    }
  });
});

describe('an address at which nothing is', () => {
  it('is a page in the language of its reader, for programs a problem', async () => {
    const titles = ['This page does not exist', 'Pagina nu există', 'Cette page n’existe pas'];
    for (const [index, place] of ['/nothing', '/ro/nothing/at/all', '/fr/nothing.html'].entries()) {
      const { status, type, text } = await get(place);
      expect([status, type]).toEqual([404, 'text/html; charset=utf-8']);
      expect(text).toContain(titles[index]);
      const [, home = ''] = /<a class="brand" href="([^"]*)"/.exec(text) ?? [];
      expect(new URL(home, new URL(place, address)).pathname).toBe(index === 0 ? '/' : place.slice(0, 4));
    }
    expect((await get('/nothing', { 'accept-language': 'fr' })).text).toContain(titles[2]);
    expect((await get('/nothing', { accept: 'application/json' })).type).toContain('application/problem+json');
    expect((await get('/api/v1/nothing', { accept: 'text/html' })).type).toContain('application/problem+json');
  });
});

describe('the API', () => {
  it('returns for each path what its description says', async () => {
    const [incident] = await incidentsOf('gone');
    for (const described of API_PATHS) {
      const id = described.startsWith('/api/v1/incidents') ? incident?.id : 'gone';
      const { status, text } = await get(described.replace('{id}', id ?? ''));
      expect([described, status]).toEqual([described, 200]);
      fittingApi(described, text);
    }
  });
});

describe('a public page', () => {
  it('can leave out fixes and evidence', async () => {
    const [incident] = await incidentsOf('gone');
    const places = [
      '/',
      '/sites/gone/',
      '/sites/links/',
      `/incidents/${incident?.id}/`,
      '/feed.atom',
      `/api/v1/incidents/${incident?.id}`,
    ];
    const texts = async () => (await Promise.all(places.map(async (place) => (await get(place)).text))).join('\n');
    const secret = ['ECONNREFUSED', 'systemctl status', 'class="fix"', 'class="facts"'];
    const before = await texts();
    for (const one of secret) expect(before).toContain(one);
    project.configure({ ...config, monitor: { listen: '127.0.0.1:0', page: { details: false } } });
    await monitor.told('config-reloaded');
    const after = await vi.waitFor(async () => {
      const text = await texts();
      for (const one of secret) expect(text).not.toContain(one);
      return text;
    }, PATIENCE);
    expect(after).toContain('The connection was refused');
  });
});

describe('the log for people', () => {
  it('is sentences, in their language', async () => {
    const wanted = /gone est indisponible\u00a0: /;
    const other = makeProject({ sites: [{ id: 'gone', url: GONE, every: '1s', full: false, confirm: { times: 1 } }] });
    try {
      let text = '';
      const { stdout } = await other.run(['monitor', '--log', 'pretty', '--lang', 'fr'], {
        onStart: (child) =>
          child.stdout?.on('data', (chunk: Buffer) => {
            text += chunk.toString();
            if (wanted.test(text)) child.kill('SIGTERM');
          }),
      });
      expect(stdout).toMatch(wanted);
      expect(stdout, 'names of fields').not.toMatch(/\w=\S/);
    } finally {
      other.remove();
    }
  });
});
