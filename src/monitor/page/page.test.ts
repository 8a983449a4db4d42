import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../locales/language.ts';
import { addressOf, linksFrom } from './page.ts';
import { locate } from './routes.ts';

const LOCATIONS = [
  '',
  'history/',
  'sites/docs/',
  'sites/ro/',
  'incidents/docs-20261120T180000123/',
  'feed.atom',
  'badge.svg',
  'badge/docs.json',
];

describe('locations', () => {
  it.each(LOCATIONS.flatMap((location) => LANGUAGES.map((language) => ({ place: location, language }))))(
    '$place in $language are found where they are said to be',
    ({ place: page, language }) => {
      const path = `/${addressOf(page, language, 'ro')}`;
      expect(locate(path, 'ro')).toEqual({ kind: 'page', page, language });
    },
  );

  it.each([
    ['/sites/docs', 'docs/'],
    ['/fr', 'fr/'],
    ['/fr/sites/docs', 'docs/'],
    ['/history', 'history/'],
    ['/incidents/docs-1', 'docs-1/'],
    // The first language has no folder of its own.
    ['/en/', '../'],
    ['/en/sites/docs/', '../../../sites/docs/'],
    ['/en/feed.atom', '../feed.atom'],
  ])('%s is somewhere else', (path, to) => {
    const moved = locate(path, 'en');
    expect(moved).toEqual({ kind: 'moved', to });
    // Where it leads to is a place at last.
    const next = new URL(to, `http://status.test${path}`).pathname;
    expect(locate(next, 'en')?.kind).toBe('page');
  });

  it.each([
    '',
    '/metrics',
    '/api/v1/incidents',
    '/de/',
    '/xx',
    '/sites/',
    '/sites/../',
    '/sites/%2e%2e/',
    '/sites/a b/',
    '/sites/docs/more/',
    '/sites/%00/',
    '/incidents/',
    '/incidents/.hidden/',
    '/badge/.svg',
    '/badge/../docs.svg',
    '/badge.png',
    '/feed.xml',
    '/index.html',
    '/ro/style.css',
    '/__proto__/',
    '//evil.test/',
    `/sites/${'x'.repeat(201)}/`,
  ])('%j is none of ours', (path) => {
    expect(locate(path, 'en')).toBeNull();
  });

  it('has the stylesheet once', () => {
    expect(locate('/style.css', 'fr')).toEqual({ kind: 'style' });
  });
});

describe('links', () => {
  it.each([
    ['', '', './', 'index.html'],
    ['', 'sites/docs/', 'sites/docs/', 'sites/docs/index.html'],
    ['sites/docs/', '', '../../', '../../index.html'],
    ['ro/sites/docs/', 'ro/history/', '../../../ro/history/', '../../../ro/history/index.html'],
    ['feed.atom', 'incidents/x/', 'incidents/x/', 'incidents/x/index.html'],
    ['ro/feed.atom', 'ro/', '../ro/', '../ro/index.html'],
    ['sites/docs/', 'style.css', '../../style.css', '../../style.css'],
  ])('from %j to %j', (from, to, served, inFiles) => {
    expect([linksFrom(from, false)(to), linksFrom(from, true)(to)]).toEqual([served, inFiles]);
  });
});
