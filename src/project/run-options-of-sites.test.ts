import { UsageError, type CheckFlags } from './arguments.ts';
import { describe, expect, it } from 'vitest';
import type { OwnDefinition } from '../../checks/own/definition.ts';
import { DEFAULT_CONFIG } from '../config/config.ts';
import { DEFAULT_WATCHING } from '../monitor/settings.ts';
import type { Checking, MonitoredSite } from '../monitor/settings.ts';
import { openSiteSource, runOptions, settingsOfSite, siteRun } from './run-options.ts';
import { textsFor, type ProjectSettings } from './settings.ts';
import { messagesIn } from '../locales/messages.ts';

const messages = messagesIn('en');

const CORE = ['bundle', 'config', 'navigation', 'home', 'llms-txt'];

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

const idsOf = ({ checks }: { readonly checks: readonly { readonly id: string }[] }): string[] =>
  checks.map(({ id }) => id);

describe('a run over a site', () => {
  it.each<[name: string, checking: Partial<Checking>, ids: readonly string[]]>([
    ['nothing said', {}, CORE],
    ['own checks', { checks: [own('notes')] }, [...CORE, 'notes']],
    ['some chosen', { only: ['config', 'bundle'] }, ['bundle', 'config']],
    ['one left out', { skip: ['llms-txt'] }, CORE.slice(0, 4)],
    ['one of the whole site chosen as well', { only: ['bundle', 'links'] }, ['bundle']],
    ['one of the whole site left out', { skip: ['links'] }, CORE],
  ])('runs the quick checks only, with %s', (_, checking, ids) => {
    expect(idsOf(siteRun(siteWith(checking), 'five', {}))).toEqual(ids);
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
      'five',
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

  it.each<['five' | 'full', Checking['limits'], object]>([
    ['five', {}, { retries: 0, deadlineMs: 15_000 }],
    ['five', { retries: 1, bodyBytes: 5 }, { retries: 1, deadlineMs: 15_000, bodyBytes: 5 }],
    ['full', {}, {}],
    ['full', { deadlineMs: 1_000 }, { deadlineMs: 1_000 }],
  ])('of kind %s with %j is bounded by %j', (scope, limits, expected) => {
    expect(siteRun(siteWith({ limits }), scope, {}).limits).toEqual(expected);
  });

  it('runs with the browser all that a site may be down by', () => {
    const ids = (checking: Partial<Checking>): readonly string[] => idsOf(siteRun(siteWith(checking), 'browser', {}));
    expect(ids({})).toEqual([...CORE, 'assets', 'rendered']);
    expect(ids({ only: ['bundle'] })).toEqual(['bundle', 'rendered']);
    expect(ids({ skip: ['rendered'] })).not.toContain('rendered');
  });

  it('asks for other sites only where it is full', () => {
    const site = siteWith({ external: true });
    expect(siteRun(site, 'five', {}).requested).toMatchObject({ full: false, external: false });
    expect(siteRun(site, 'full', {}).requested).toMatchObject({ full: true, external: true });
  });

  it('opens the source that it is compared with', async () => {
    expect(await openSiteSource(siteWith({ source: import.meta.dirname }), '/')).not.toBeNull();
  });

  it('has no source where none is named', async () => {
    expect(await openSiteSource(siteWith(), '/')).toBeNull();
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
  };
  const plan = (flags: Partial<CheckFlags>) =>
    runOptions(undefined, { format: 'pretty', color: true, ...flags }, settingsOfSite(settings, 'docs', flags), {});

  it('is a run of the monitor', async () => {
    const site = settings.config.monitor.sites[0];
    const { wait, ...run } = await plan({});
    expect(wait).toBeNull();
    const { checks, requested, ...rest } = siteRun(site ?? siteWith(), 'five', {});
    expect(idsOf(run)).toEqual(idsOf({ checks }));
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
    const error: unknown = await runOptions(undefined, flags, { ...settings, config }, {}).catch((e: unknown) => e);
    expect(error instanceof UsageError && error.report(messages)).toBe(messages.noSiteChosen('docs, handbook'));
  });
});
