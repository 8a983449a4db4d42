import path from 'node:path';
import { UsageError, type CheckFlags } from './arguments.ts';
import { mkdtempSync, rmSync, writeFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it, onTestFinished, afterAll, beforeAll } from 'vitest';
import { checks } from '../../checks/index.ts';
import { DEFAULT_CONFIG, type Config } from '../config/config.ts';
import { messagesIn } from '../locales/messages.ts';
import {
  runOptions,
  type RunPlan,
  openSiteSource,
  settingsOfSite,
  siteRun,
  demandReportFiles,
  checked,
} from './run-options.ts';
import type { OwnDefinition } from '../../checks/own/definition.ts';
import { DEFAULT_WATCHING, type Checking, type MonitoredSite } from '../monitor/settings.ts';
import { textsFor, type ProjectSettings } from './settings.ts';
import { parseBaseUrl } from '../core/base-url.ts';

const LOCATION = { path: 'build.json', pick: null };
const CORE = ['bundle', 'config', 'navigation', 'home', 'llms-txt'];

const planOf = (flags: Partial<CheckFlags>, config: Partial<Config> = {}): Promise<RunPlan> =>
  runOptions(
    'https://docs.example/',
    { format: 'pretty', color: true, ...flags },
    {
      config: { ...DEFAULT_CONFIG, ...config },
      language: 'en',
      checks,
      file: null,
      text: null,
      isProposal: false,
      unapplied: null,
    },
    { env: {} },
  );
const idsOf = ({ checks: chosen }: Pick<RunPlan, 'checks'>): string[] => chosen.map(({ id }) => id);
const SOURCE = import.meta.dirname;

describe('which checks know whether the site is fresh', () => {
  const rows: readonly {
    name: string;
    flags: Partial<CheckFlags>;
    config?: Partial<Config>;
    ids: readonly string[];
  }[] = [
    { name: 'nothing is expected', flags: {}, ids: CORE },
    { name: 'only waiting', flags: { wait: 1000 }, ids: CORE },
    { name: 'a version', flags: { expectVersion: 'abc1234' }, ids: [...CORE, 'deployed-version'] },
    { name: 'an ETag', flags: { since: { etag: '"a"' } }, ids: [...CORE, 'deployed-version'] },
    { name: 'now', flags: { since: 'now', wait: 1000 }, ids: [...CORE, 'deployed-version'] },
    { name: 'a source', flags: { source: SOURCE }, ids: [...CORE, 'source'] },
    {
      name: 'a source and a version',
      flags: { source: SOURCE, expectVersion: '1' },
      ids: [...CORE, 'source', 'deployed-version'],
    },
    {
      name: 'some checks and a version',
      flags: { only: ['home'], expectVersion: '1' },
      ids: ['home', 'deployed-version'],
    },
    { name: 'some checks and a source', flags: { only: ['home'], source: SOURCE }, ids: ['home'] },
    {
      name: 'some checks, waiting for a source',
      flags: { only: ['home'], source: SOURCE, wait: 1000 },
      ids: ['home', 'source'],
    },
    {
      name: 'some checks of the configuration, and a version',
      flags: { expectVersion: '1' },
      config: { only: ['home'] },
      ids: ['home', 'deployed-version'],
    },
    { name: 'a version that is left out', flags: { skip: ['deployed-version'], expectVersion: '1' }, ids: CORE },
    { name: 'a place without a version', flags: {}, config: { versionFrom: LOCATION }, ids: CORE },
  ];

  it.each(rows)('$name', async ({ flags, config = {}, ids }) => {
    expect(idsOf(await planOf(flags, config))).toEqual(ids);
  });
});

describe('what is waited for and left out', () => {
  it.each<[string, Partial<CheckFlags>, boolean]>([
    ['the source', { source: SOURCE, skip: ['source'], wait: 1000 }, true],
    ['the version', { expectVersion: '1', skip: ['deployed-version'], wait: 1000 }, true],
    ['the bundle', { since: 'now', skip: ['deployed-version'], wait: 1000 }, true],
    ['the source, without waiting', { source: SOURCE, skip: ['source'] }, false],
    [
      'a version that need not be told',
      { expectVersion: '1', versionOptional: true, skip: ['deployed-version'], wait: 1 },
      false,
    ],
    ['another check', { source: SOURCE, skip: ['home'], wait: 1000 }, false],
  ])('%s: %o', async (_, flags, isMistake) => {
    const plan = planOf(flags).then(
      () => false,
      (error: unknown) => error instanceof UsageError,
    );
    expect(await plan).toBe(isMistake);
  });
});

describe('what is expected', () => {
  const NONE = { version: null, from: null, optional: false, since: null };
  const rows: readonly { name: string; flags: Partial<CheckFlags>; config?: Partial<Config>; expected: unknown }[] = [
    { name: 'nothing', flags: {}, expected: null },
    { name: 'a version', flags: { expectVersion: '1' }, expected: { ...NONE, version: '1' } },
    {
      name: 'a version and others that are as good',
      flags: { expectVersion: '1', versionAlternatives: ['2'] },
      expected: { ...NONE, version: '1', alternatives: ['2'] },
    },
    {
      name: 'a version that need not be told',
      flags: { expectVersion: '1', versionOptional: true },
      expected: { ...NONE, version: '1', optional: true },
    },
    {
      name: 'a version at a place',
      flags: { expectVersion: '1', versionFrom: LOCATION },
      expected: { ...NONE, version: '1', from: LOCATION },
    },
    {
      name: 'a version at the place of the configuration',
      flags: { expectVersion: '1' },
      config: { versionFrom: LOCATION },
      expected: { ...NONE, version: '1', from: LOCATION },
    },
    {
      name: 'a date, with a place that says nothing of it',
      flags: { since: { modifiedMs: 5 } },
      config: { versionFrom: LOCATION },
      expected: { ...NONE, since: { modifiedMs: 5 } },
    },
    { name: 'what is not known yet', flags: { since: 'now', wait: 1000 }, expected: null },
    {
      name: 'a version and what is not known yet',
      flags: { since: 'now', wait: 1000, expectVersion: '1' },
      expected: { ...NONE, version: '1' },
    },
  ];

  it.each(rows)('$name', async ({ flags, config = {}, expected }) => {
    expect((await planOf(flags, config)).requested?.expected).toEqual(expected);
  });
});

describe('a manifest that cannot be read', () => {
  it('is reported without the control characters that it contains', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const source = path.join(folder, 'manifest.json');
    const files = { 'a\u001b[2J.md': null };
    writeFileSync(source, JSON.stringify({ schemaVersion: 1, algorithm: 'sha256', files }));
    const error: unknown = await planOf({ source }).catch((reason: unknown) => reason);
    expect((error as UsageError).report(messagesIn('en'))).toContain('files: a␛[2J.md');
  });
});

describe('the waiting', () => {
  it.each([
    { name: 'none', flags: {}, wait: null },
    { name: 'two good rounds', flags: { wait: 5000 }, wait: { forMs: 5000, stable: 2 } },
    { name: 'more', flags: { wait: 5000, stable: 4 }, wait: { forMs: 5000, stable: 4 } },
    {
      name: 'for the bundle to change',
      flags: { wait: 5000, since: 'now' as const },
      wait: { forMs: 5000, stable: 2, sinceNow: true },
    },
  ])('$name', async ({ flags, wait }) => {
    expect((await planOf(flags)).wait).toEqual(wait);
  });
});

describe('what says nothing by itself is a mistake', () => {
  it.each([
    { name: '--stable', flags: { stable: 3 } },
    { name: '--since now', flags: { since: 'now' as const } },
    { name: '--version-from', flags: { versionFrom: LOCATION } },
    { name: '--version-from with another criterion', flags: { versionFrom: LOCATION, since: { etag: '"a"' } } },
    { name: '--only deployed-version', flags: { only: ['deployed-version'] } },
    { name: '--only source', flags: { only: ['source'] } },
  ])('$name', async ({ flags }) => {
    await expect(planOf(flags)).rejects.toBeInstanceOf(UsageError);
  });
});

const messages = messagesIn('en');

const own = (id: string): OwnDefinition => ({
  id,
  title: `Title of ${id}`,
  path: `${id}.txt`,
  accept: '*/*',
  expect: {
    status: [200],
    mediaTypes: [],
    json: null,
    markdown: false,
    contains: [],
    notContains: [],
    headers: [],
    maxDurationMs: null,
  },
  fix: null,
});

function siteWith(checking: Partial<Checking> = {}, id = 'docs'): MonitoredSite {
  const { monitor: _, url: __, language: ___, full: ____, ...defaults } = DEFAULT_CONFIG;
  return {
    id,
    url: 'https://user:pw@docs.example.com/guide/index.html',
    title: id,
    tags: [],
    ...DEFAULT_WATCHING,
    alerts: null,
    maintenance: [],
    checking: { ...defaults, ...checking },
  };
}

describe('a run over a site', () => {
  it.each<[name: string, checking: Partial<Checking>, ids: readonly string[]]>([
    ['nothing said', {}, CORE],
    ['own checks', { checks: [own('notes')] }, [...CORE, 'notes']],
    ['some chosen', { only: ['config', 'bundle'] }, ['bundle', 'config']],
    ['one left out', { skip: ['llms-txt'] }, CORE.slice(0, 4)],
    ['one of the whole site chosen as well', { only: ['bundle', 'links'] }, ['bundle']],
    ['one of the whole site left out', { skip: ['links'] }, CORE],
  ])('runs the quick checks only, with %s', (_, checking, ids) => {
    expect(idsOf(siteRun(siteWith(checking), 'core', {}))).toEqual(ids);
  });

  it('runs the whole site where it is full', () => {
    const ids = idsOf(siteRun(siteWith({ skip: ['tls'], checks: [own('notes')] }), 'full', {}));
    expect(ids).toEqual(expect.arrayContaining([...CORE, 'links', 'notes']));
    expect(ids).not.toContain('tls');
  });

  it('is reported what the site says', () => {
    const rules = new Map([['home/x', 'off' as const]]);
    const environment = { HTTPS_PROXY: 'http://proxy:3128' };
    const run = siteRun(
      siteWith({ headers: { X: 's3cret' }, strict: true, rules, host: 'worker', engine: 'docsify' }),
      'core',
      environment,
    );
    expect(run).toMatchObject({
      headers: { X: 's3cret' },
      strict: true,
      rules,
      environment,
      requested: { host: 'worker', engine: 'docsify' },
    });
    expect(run.site.base.href).toBe('https://docs.example.com/guide/');
    expect(run.site.site.href).toBe('https://user:pw@docs.example.com/guide/');
  });

  it.each<['core' | 'full', Checking['limits'], object]>([
    ['core', {}, { retries: 0, deadlineMs: 15_000 }],
    ['core', { retries: 1, bodyBytes: 5 }, { retries: 1, deadlineMs: 15_000, bodyBytes: 5 }],
    ['full', {}, {}],
    ['full', { deadlineMs: 1_000 }, { deadlineMs: 1_000 }],
  ])('of kind %s with %j is bounded by %j', (scope, limits, expected) => {
    expect(siteRun(siteWith({ limits }), scope, {}).limits).toEqual(expected);
  });

  it('runs with the browser all that a site may be down by', () => {
    const ids = (checking: Partial<Checking>): readonly string[] => idsOf(siteRun(siteWith(checking), 'browser', {}));
    expect(ids({})).toEqual([...CORE, 'rendered']);
    expect(ids({ only: ['bundle'] })).toEqual(['bundle', 'rendered']);
    expect(ids({ skip: ['rendered'] })).not.toContain('rendered');
  });

  it('asks for other sites only where it is full', () => {
    const site = siteWith({ external: true });
    expect(siteRun(site, 'core', {}).requested).toMatchObject({ full: false, external: false });
    expect(siteRun(site, 'full', {}).requested).toMatchObject({ full: true, external: true });
  });

  it('opens the source that it is compared with', async () => {
    const site = siteWith({ source: import.meta.dirname });
    expect(await openSiteSource(site, siteRun(site, 'full', {}), '/')).not.toBeNull();
  });

  it('has no source where none is named', async () => {
    expect(await openSiteSource(siteWith(), siteRun(siteWith(), 'full', {}), '/')).toBeNull();
  });

  it('knows the texts of the site’s own checks', async () => {
    const texts = await textsFor({ config: siteWith({ checks: [own('notes')] }).checking, language: 'ro' });
    expect(texts.check('notes')?.title).toBe('Title of notes');
  });
});

describe('check --site', () => {
  const settings: ProjectSettings = {
    config: {
      ...DEFAULT_CONFIG,
      url: 'https://other.example/',
      headers: { Authorization: 'of the other' },
      monitor: {
        ...DEFAULT_CONFIG.monitor,
        sites: [
          siteWith({ skip: ['home'], checks: [own('notes')], source: import.meta.dirname }),
          siteWith({}, 'handbook'),
        ],
      },
    },
    language: 'en',
    checks: [],
    file: 'docvitals.yaml',
    text: null,
    isProposal: false,
    unapplied: null,
  };
  const plan = (flags: Partial<CheckFlags>) =>
    runOptions(undefined, { format: 'pretty', color: true, ...flags }, settingsOfSite(settings, 'docs', flags), {
      env: {},
    });

  it('is a run of the monitor', async () => {
    const site = settings.config.monitor.sites[0];
    const { wait, ...run } = await plan({});
    expect(wait).toBeNull();
    const { checks: ofSite, requested, ...rest } = siteRun(site ?? siteWith(), 'core', {});
    expect(idsOf(run)).toEqual(idsOf({ checks: ofSite }));
    expect(run).toMatchObject({ ...rest, requested: { full: false, source: null } });
    expect(run.headers).toEqual({});
    expect(requested?.full).toBe(false);
  });

  it('is a full one with --full', async () => {
    const run = await plan({ full: true });
    expect(idsOf(run)).toEqual(expect.arrayContaining(['links', 'source', 'notes']));
    expect(run.requested?.source).not.toBeNull();
    expect(run.limits).toEqual({});
  });

  it.each<[string, Partial<CheckFlags>]>([
    ['--only', { only: ['links'] }],
    ['--source', { source: import.meta.dirname }],
    ['--wait', { wait: 1_000 }],
  ])('has the time that it needs with %s', async (_, flags) => {
    expect((await plan(flags)).limits).toEqual({});
  });

  it.each([
    ['dosc', messages.unknownSite('--site', 'dosc', 'docs, handbook', 'docs')],
    ['elsewhere', messages.unknownSite('--site', 'elsewhere', 'docs, handbook', null)],
  ])('refuses %s', (id, reported) => {
    expect(() => settingsOfSite(settings, id)).toThrow(
      expect.toSatisfy((error: unknown) => error instanceof UsageError && error.report(messages) === reported),
    );
  });

  it('names the sites where neither one nor a URL is given', async () => {
    const config = { ...settings.config, url: null };
    const flags = { format: 'pretty', color: true } as const;
    const error: unknown = await runOptions(undefined, flags, { ...settings, config }, { env: {} }).catch(
      (e: unknown) => e,
    );
    expect(error instanceof UsageError && error.report(messages)).toBe(messages.noSiteChosen('docs, handbook'));
  });
});

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'docvitals-'));
  mkdirSync(path.join(folder, 'out'));
  symlinkSync('out', path.join(folder, 'also-out'));
  writeFileSync(path.join(folder, 'old.json'), '{}');
  symlinkSync('old.json', path.join(folder, 'to-old'));
  symlinkSync('new.json', path.join(folder, 'to-new'));
  symlinkSync(path.join('gone', 'new.json'), path.join(folder, 'to-nowhere'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What is wrong with the files; `null`: nothing. */
async function problem(files: readonly string[]): Promise<string | null> {
  const targets = files.map((file) => ({ format: 'json' as const, file }));
  try {
    await demandReportFiles(targets, folder);
    return null;
  } catch (error) {
    if (error instanceof UsageError) return error.report(messages);
    throw error;
  }
}

describe('the files of reports', () => {
  it.each([
    ['none', []],
    ['several', ['a.json', 'b.json', 'old.json', 'to-new']],
    ['the same name in two folders', ['a.json', 'out/a.json']],
    ['a device twice', ['/dev/null', '/dev/null']],
    ['where a link will lead', ['to-new', 'also-out/new.json']],
  ])('are fine: %s', async (_, files) => {
    expect(await problem(files)).toBeNull();
  });

  it.each([
    ['one name', 'same', 'same'],
    ['a dot before it', 'same', './same'],
    ['a way around', 'same', 'out/../same'],
    ['the whole path', 'out/same', 'WHOLE/out/same'],
  ])('may not be one: %s', async (_, one, written) => {
    const other = written.replace('WHOLE', folder);
    for (const [first, second] of [[one, other] as const, [other, one] as const]) {
      expect(await problem([first, 'b', second])).toBe(messages.sameReport(first, second));
    }
  });

  it.each([
    ['a missing folder', 'gone/a.json', 'gone'],
    ['a missing folder further up', 'gone/on/a.json', 'gone/on'],
    ['a file in its place', 'old.json/a.json', 'old.json'],
    ['a link into a missing folder', 'to-nowhere', 'WHOLE/gone'],
  ])('need a folder: %s', async (_, file, missing) => {
    expect(await problem(['b', file])).toBe(messages.noReportFolder(file, missing.replace('WHOLE', folder)));
  });

  it('may not be folders', async () => {
    expect(await problem(['out'])).toBe(messages.reportIsFolder('out'));
  });
});

/** A run without checks, in this environment. */
function planIn(environment: Readonly<Record<string, string>>): RunPlan {
  const parsed = parseBaseUrl('http://docs.test/');
  if (!parsed.ok) throw new Error(parsed.problem);
  return { site: parsed, checks: [], wait: null, environment };
}

/** What running rejects with; the report where it does not. */
const outcomeIn = (environment: Readonly<Record<string, string>>): Promise<unknown> =>
  checked(planIn(environment), {}).catch((error: unknown) => error);

describe('checked', () => {
  it('reports', async () => {
    expect(await outcomeIn({})).toMatchObject({ verdict: 'healthy', checks: [] });
  });

  it('reports an unusable proxy', async () => {
    const error = await outcomeIn({ HTTP_PROXY: 'socks5://127.0.0.1:1080' });
    expect(error).toBeInstanceOf(UsageError);
    const fr = messagesIn('fr');
    expect((error as UsageError).report(fr)).toBe(fr.badProxy('HTTP_PROXY'));
  });

  it('does not take a defect of docvitals for a mistake of the user', async () => {
    const degradation = new RangeError('Maximum call stack size exceeded');
    const environment = Object.defineProperty({}, 'http_proxy', {
      get() {
        throw degradation;
      },
    });
    expect(await outcomeIn(environment)).toBe(degradation);
  });
});
