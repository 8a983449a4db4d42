import { describe, expect, it } from 'vitest';
import { noReply, reply, SHELL } from '../../test/answers.ts';
import {
  fake,
  html,
  inDocs,
  json,
  only,
  options,
  ORIGIN,
  result,
  run,
  silent,
  SITE,
  siteIn,
  text,
  trouble,
} from '../../test/runs.ts';
import type { Files } from '../../test/runs.ts';
import type { Answer } from '../core/answer.ts';
import { runChecks } from '../core/run.ts';

describe('sharedSite: requests', () => {
  it('asks for the core checks at once, each once', async () => {
    const { get, asked } = fake(SITE);
    const report = runChecks(options(get));
    expect(asked.toSorted()).toEqual(['/config.json', '/index.html', '/index.md', '/llms.txt', '/navigation.md']);
    expect(trouble(await report)).toEqual({});
    expect(asked).toHaveLength(5);
  });

  it('asks below the base', async () => {
    const { get, asked } = fake(siteIn('/docs/'));
    expect(trouble(await runChecks(options(get, inDocs)))).toEqual({});
    expect(asked.every((path) => path.startsWith('/docs/'))).toBe(true);
  });

  it('accepts what a browser accepts for the bundle, anything for the rest', async () => {
    const accepted = new Map<string, string>();
    const { get } = fake(SITE);
    await runChecks(options(async (request) => (accepted.set(request.url.pathname, request.accept), get(request))));
    expect(accepted.get('/index.html')).toMatch(/^text\/html,/);
    accepted.delete('/index.html');
    expect([...accepted.values()]).toEqual(['*/*', '*/*', '*/*', '*/*', '*/*']);
  });

  it.each(['index.md', './index.md', '/index.md', '#/index.md', '#!index.md', 'index.md#top', '/', './', ''])(
    'asks for no file again that the configuration names as %j',
    async (homePage) => {
      const { get, asked } = fake({ ...SITE, '/config.json': json({ homePage }) });
      expect(trouble(await runChecks(options(get)))).toEqual({});
      expect(asked).toHaveLength(5);
    },
  );

  it('asks for the files that the configuration renames, and evaluates those', async () => {
    const settings = { homePage: 'start/', navigationFile: './nav/main.md', llmsTxtUrl: '/agents.txt' };
    const { get, asked } = fake({
      '/index.html': html(SHELL),
      '/config.json': json(settings),
      '/start/index.md': '# Start\n',
      '/nav/main.md': '[Start](../start/index.md)',
      '/agents.txt': text('# Start\n\n[Start](start/index.md)\n'),
    });
    const report = await runChecks(options(get));
    expect(trouble(report)).toEqual({});
    expect(asked.slice(5).toSorted()).toEqual(['/agents.txt', '/nav/main.md', '/start/index.md']);
    expect(report.checks.map(({ target }) => target)).toEqual([
      'GET /index.html',
      'GET /config.json',
      'GET /nav/main.md',
      'GET /start/index.md',
      'GET /agents.txt',
    ]);
  });

  it('does not wait for a default that the configuration renames', async () => {
    const settings = { homePage: 'a.md', navigationFile: 'b.md', llmsTxtUrl: 'c.txt' };
    const report = await run({
      ...SITE,
      '/index.md': silent,
      '/navigation.md': silent,
      '/llms.txt': silent,
      '/config.json': json(settings),
      '/a.md': '# a',
      '/b.md': '[a](a.md)',
      '/c.txt': text('# c\n\n[a](a.md)'),
    });
    expect(trouble(report)).toEqual({});
  });

  it('does not wait for an agent index that is off', { timeout: 3000 }, async () => {
    const report = await run({ ...SITE, '/config.json': json({ llmsTxtUrl: null }), '/llms.txt': silent });
    expect(result(report, 'llms-txt').status).toBe('skip');
  });
});

describe('sharedSite: paths with a leading slash', () => {
  const files = { ...siteIn('/docs/'), '/docs/config.json': json({ homePage: '/home.md' }) };
  const asks = ['/docs/home.md', '/home.md'];

  it.each<{ name: string; more: Files; fallback?: Answer; asked: string[]; url: string; rules: string[] }>([
    {
      name: 'below the base',
      more: { '/docs/home.md': '# a' },
      asked: ['/docs/home.md'],
      url: '/docs/home.md',
      rules: [],
    },
    { name: 'at the origin', more: { '/home.md': '# a' }, asked: asks, url: '/home.md', rules: [] },
    {
      name: 'at the origin, behind a fallback below the base',
      more: { '/docs/home.md': html(SHELL), '/home.md': '# a' },
      asked: asks,
      url: '/home.md',
      rules: [],
    },
    {
      name: 'at the origin, behind an error page with status 200',
      more: { '/docs/home.md': html('<!doctype html><title>Oops</title>'), '/home.md': '# a' },
      asked: asks,
      url: '/home.md',
      rules: [],
    },
    { name: 'nowhere: the base is told', more: {}, asked: asks, url: '/docs/home.md', rules: ['wrong-setting'] },
    {
      name: 'nowhere, behind a fallback',
      more: {},
      fallback: html(SHELL),
      asked: asks,
      url: '/docs/home.md',
      rules: ['wrong-setting'],
    },
    {
      name: 'broken below the base',
      more: { '/docs/home.md': reply('<!-- -->'), '/home.md': '# a' },
      asked: ['/docs/home.md'],
      url: '/docs/home.md',
      rules: ['no-content'],
    },
  ])('$name', async ({ more, fallback, asked: expected, url, rules }) => {
    const { get, asked } = fake({ ...files, ...more }, fallback);
    const home = result(await runChecks(options(get, inDocs)), 'home');
    expect(asked.filter((path) => path.endsWith('/home.md'))).toEqual(expected);
    expect(home).toMatchObject({ url: `${ORIGIN}${url}`, target: `GET ${url}` });
    expect(home.findings.map(({ rule }) => rule)).toEqual(rules);
  });

  it('follows an address of its own to another host', async () => {
    const there = 'https://cdn.example/llms.txt';
    const report = await run({
      ...SITE,
      '/config.json': json({ llmsTxtUrl: there }),
      [there]: SITE['/llms.txt'] ?? '',
    });
    expect(result(report, 'llms-txt')).toMatchObject({ status: 'pass', url: there, target: `GET ${there}` });
  });

  it.each(['C:\\docs\\home.md', 'file:///srv/docs/home.md', 'javascript:alert(1)'])(
    'fails a home page that is no web address: %s',
    async (homePage) => {
      const home = result(await run({ ...SITE, '/config.json': json({ homePage }) }), 'home');
      expect(home.status).toBe('fail');
      expect(home.findings).toMatchObject([{ evidence: { setting: 'homePage', value: homePage } }]);
    },
  );
});

describe('sharedSite: configurations', () => {
  it('reads the settings past a trailing comma, and blames the configuration only', async () => {
    const broken = reply('{\n  "homePage": "start.md",\n}\n', { contentType: 'application/json' });
    const { '/index.md': _gone, ...rest } = SITE;
    const report = await run({ ...rest, '/config.json': broken, '/start.md': '# Start' });
    expect(trouble(report)).toEqual({ config: ['trailing-comma'] });
    expect(report.verdict).toBe('down');
  });

  it.each<{ name: string; answer: Answer; rule: string }>([
    { name: 'missing', answer: reply('', { status: 404 }), rule: 'not-found' },
    { name: 'the fallback', answer: html(SHELL), rule: 'spa-fallback' },
    { name: 'refused', answer: noReply('reset'), rule: 'reset' },
  ])('uses the defaults when it is $name', async ({ answer, rule }) => {
    expect(trouble(await run({ ...SITE, '/config.json': answer }))).toEqual({ config: [rule] });
  });

  it('skips the agent index when it is off', async () => {
    const report = await run({
      ...SITE,
      '/config.json': json({ llmsTxtUrl: null }),
      '/llms.txt': reply('', { status: 404 }),
    });
    expect(result(report, 'llms-txt')).toMatchObject({
      status: 'skip',
      findings: [],
      skipped: { rule: 'off', severity: null, evidence: { setting: 'llmsTxtUrl', value: null } },
    });
    expect(report.verdict).toBe('healthy');
  });

  it('asks for configuration and bundle though only the navigation is checked', async () => {
    const files = { ...SITE, '/config.json': json({ navigationFile: 'nav.md' }), '/nav.md': html(SHELL) };
    const { get, asked } = fake(files);
    const report = await runChecks(options(get, only('navigation')));
    expect(report.checks.map(({ id }) => id)).toEqual(['navigation']);
    expect(trouble(report)).toEqual({ navigation: ['wrong-setting'] });
    expect(asked).toEqual(expect.arrayContaining(['/config.json', '/index.html', '/nav.md', '/navigation.md']));
  });

  it('asks for the bundle alone when only the bundle is checked', async () => {
    const { get, asked } = fake(SITE);
    await runChecks(options(get, only('bundle')));
    // The engine, by which its scripts are known, depends on the configuration.
    expect(asked).toEqual(['/index.html', '/config.json']);
  });
});

describe('sharedSite: a host that sends text for files that are not there', () => {
  const nothing = text('Sorry, nothing of that name is here. Please go to our start page and look for it there.\n');
  const { '/navigation.md': _navigation, '/llms.txt': _index, ...others } = SITE;

  it.each([
    { full: true, told: { navigation: ['not-found'], 'llms-txt': ['not-found'] } },
    { full: false, told: { navigation: ['no-links'], 'llms-txt': ['no-heading', 'no-links'] } },
  ])('is seen through where all is checked ($full)', async ({ full, told }) => {
    const { get } = fake(others, nothing);
    expect(trouble(await runChecks(options(get, { requested: { full } })))).toEqual(told);
  });
});

describe('sharedSite: docsify in scripts of the site', () => {
  const page = (address: string): Answer =>
    html(`<!doctype html><html><body><div id="app"></div><script src="${address}"></script></body></html>`);
  const MAIN = "window.$docsify = { homepage: 'start.md' }; load('//cdn.example/npm/docsify@4');";
  const SIDE = { '/start.md': text('# Start\n\nThe page.'), '/llms.txt': text('# Start\n') };
  const requestsOf = async (files: Files): Promise<readonly string[]> => {
    const { get, asked } = fake(files);
    await runChecks(options(get));
    return asked;
  };

  it('is recognised there', async () => {
    const files = { '/index.html': page('assets/main.js'), '/assets/main.js': reply(MAIN), ...SIDE };
    expect(await requestsOf(files)).toContain('/start.md');
  });

  it('is not looked for on other hosts, in large scripts, or where config.json exists', async () => {
    const large = { '/index.html': page('main.js'), '/main.js': reply(MAIN + ' '.repeat(300_000)) };
    const elsewhere = { '/index.html': page('//cdn.example/main.js') };
    const configured = { ...SITE, '/index.html': page('main.js'), '/main.js': reply(MAIN) };
    for (const files of [large, elsewhere, configured]) {
      expect(await requestsOf({ ...files, ...SIDE })).not.toContain('/start.md');
    }
  });
});

describe('sharedSite: menus of folders', () => {
  const bundle = html('<script>window.$docsify = { loadSidebar: true, loadNavbar: true }</script>');
  const files = {
    '/index.html': bundle,
    '/README.md': '# Home\n\n[Guide](/guide/a)',
    '/_navbar.md': '- [fr](/fr/a/b)',
  };
  const navigationOf = async (more: Files) =>
    result(await run({ ...files, ...more }, only('navigation')), 'navigation').findings.map(({ rule }) => rule);

  it.each(['/guide/_sidebar.md', '/fr/a/_sidebar.md', '/fr/_sidebar.md'])(
    'counts %s as the navigation where the root has none',
    async (path) => {
      expect(await navigationOf({ [path]: '- [a](/guide/a)' })).toEqual([]);
    },
  );

  it('counts it where that of the root is empty', async () => {
    const empty = { '/_sidebar.md': '\n' };
    expect(await navigationOf({ ...empty, '/guide/_sidebar.md': '- [a](/guide/a)' })).toEqual([]);
    expect(await navigationOf(empty)).toEqual(['empty']);
  });

  it('is missing where no folder that is linked to has one', async () => {
    expect(await navigationOf({ '/other/_sidebar.md': '- [a](/other/a)' })).toEqual(['not-found']);
  });
});
