import { describe, expect, it } from 'vitest';
import { noReply, reply } from '../../../test/answers.ts';
import { reportOf } from '../../../test/reports.ts';
import type { Answer } from '../../core/answer.ts';
import type { VersionLocation } from '../../site/types.ts';
import { collectContents } from './local-probe.ts';

const BASE = 'https://docs.example/docs/';
const PATHS = { bundle: 'index.html', config: 'config.json', navigation: 'navigation.md', home: 'index.md' } as const;

const SHELL = '<!doctype html><title>Docs</title>';

/** What comes for each check's file: a body, or all of an answer. */
type Came = Partial<Record<keyof typeof PATHS, string | ((url: string) => Answer)>>;

const urlOf = (check: keyof typeof PATHS): string => new URL(PATHS[check], BASE).href;
const well: Came = { bundle: SHELL, config: '{}', navigation: '# N', home: '# H' };

function observed(came: Came, settings: { readonly versionFrom: VersionLocation | null } = { versionFrom: null }) {
  const contents = collectContents(BASE, settings);
  const checks = Object.keys(came) as (keyof typeof PATHS)[];
  for (const check of checks) {
    const body = came[check] ?? '';
    contents.add(typeof body === 'string' ? reply(body, { url: urlOf(check) }) : body(urlOf(check)));
  }
  return contents.of(reportOf(checks.map((id) => ({ id, url: urlOf(id) }))));
}

const filesOf = (came: Came): string[] => Object.keys(observed(came).contents ?? {});

describe('the files of a site', () => {
  it.each<[string, Came, readonly string[]]>([
    ['all are there', well, ['bundle', 'config', 'navigation', 'home']],
    [
      'one is missing',
      { ...well, home: (url) => reply('gone', { url, status: 404 }) },
      ['bundle', 'config', 'navigation'],
    ],
    ['one fails', { ...well, config: (url) => reply('502', { url, status: 502 }) }, ['bundle', 'navigation', 'home']],
    ['one does not come', { ...well, config: () => noReply('reset') }, ['bundle', 'navigation', 'home']],
    ['one is empty', { ...well, home: '' }, ['bundle', 'config', 'navigation']],
    ['the bundle comes instead of some', { ...well, navigation: SHELL, home: SHELL }, ['bundle', 'config']],
    [
      'a page of the host instead of one',
      { ...well, home: '<html><h1>Not found</h1></html>' },
      ['bundle', 'config', 'navigation'],
    ],
    ['the same page for everything', { bundle: SHELL, config: SHELL, navigation: SHELL, home: SHELL }, []],
    ['the same text for everything', { bundle: 'ok', config: 'ok', navigation: 'ok', home: 'ok' }, []],
    [
      'somebody else asks for a password',
      { ...well, bundle: (url) => ({ ...reply(SHELL, { url: 'https://login.example/' }), requestUrl: url }) },
      ['config', 'navigation', 'home'],
    ],
    ['a configuration that is no JSON', { ...well, config: '{,}' }, ['bundle', 'config', 'navigation', 'home']],
  ])('%s', (_, came, expected) => {
    expect(filesOf(came)).toEqual(expected);
  });

  it('are the same while their bytes are', () => {
    expect(observed(well)).toEqual(observed(well));
    expect(observed({ ...well, config: '{ }' }).contents?.['config']).not.toBe(observed(well).contents?.['config']);
  });

  it('are those of the core checks: a check of one’s own may ask for what changes all the time', () => {
    const contents = collectContents(BASE, { versionFrom: null });
    contents.add(reply('12:00', { url: urlOf('home') }));
    expect(contents.of(reportOf([{ id: 'clock', url: urlOf('home') }])).contents).toEqual({});
  });
});

describe('the version that a site reports', () => {
  const meta = (version: string): string =>
    `<!doctype html><meta name="version" content="${version}"><title>Docs</title>`;
  const header = (name: string, value: string) => (url: string) => reply(SHELL, { url, headers: { [name]: value } });
  const at = (path: string, pick: VersionLocation['pick']): VersionLocation => ({ path, pick });

  it.each<[string, Came, VersionLocation | null, string | null]>([
    ['not at all', well, null, null],
    ['in the bundle', { ...well, bundle: meta('v1.2.3') }, null, 'v1.2.3'],
    ['in a header', { ...well, bundle: header('x-app-version', 'v2') }, null, 'v2'],
    ['not in a header of the host', { ...well, bundle: header('x-amz-version-id', 'abc') }, null, null],
    ['not by the engine’s own', { ...well, bundle: meta('').replace('version', 'generator') }, null, null],
    ['not by an error page', { ...well, bundle: (url) => reply(meta('v1'), { url, status: 503 }) }, null, null],
    ['in what is no version', { ...well, bundle: meta('x'.repeat(500)) }, null, null],
    [
      'where the configuration says',
      { ...well, config: '{"build":{"id":"77"}}' },
      at('config.json', { pointer: '/build/id' }),
      '77',
    ],
    ['in a file of many things', { ...well, config: '{"title":"Docs","version":"v4"}' }, at('config.json', null), 'v4'],
    ['not where the configuration says', well, at('config.json', { pointer: '/build/id' }), null],
    ['in a file that is not asked for', well, at('version.json', null), null],
  ])('%s', (_, came, from, expected) => {
    const settings = { versionFrom: from };
    expect(observed(came, settings).version).toBe(expected);
    // The same bytes again, then others, then the first.
    expect(observed(came, settings).version).toBe(expected);
    expect(observed({ ...came, bundle: '<p>', config: '[]' }, settings).version).toBe(null);
    expect(observed(came, settings).version).toBe(expected);
  });

  it('is sought once in the same bytes: a pattern may be slow', () => {
    const settings = { versionFrom: at('config.json', { pattern: /^(a+)+$/ }) };
    const slow = { ...well, config: `${'a'.repeat(40)}!` };
    observed(slow, settings);
    const began = performance.now();
    observed(slow, settings);
    expect(performance.now() - began).toBeLessThan(100);
  });
});
