import { describe, expect, it } from 'vitest';
import { reply } from '../../test/answers.ts';
import { closedToPage } from './other-origin.ts';

const SITE = 'https://docs.example';
const OTHER = 'https://pages.example';

/** What is said of a page at an address, of a site whose bundle came from another address than was requested. */
function closed(url: string, allow: string | null, bundle: { readonly requestUrl: string; readonly url: string }) {
  const headers = allow === null ? {} : { 'Access-Control-Allow-Origin': allow };
  const answer = { ...reply('# Harbour', { headers }), requestUrl: url, url };
  const page = { ...reply('<!doctype html>'), ...bundle };
  return closedToPage({ answer, bundle: page, setting: 'homePage', settingName: 'homepage', value: undefined });
}
const AT_SITE = { requestUrl: `${SITE}/index.html`, url: `${SITE}/index.html` };

describe('a page of another origin', () => {
  it.each([
    ['is allowed to everybody', `${OTHER}/a.md`, '*', AT_SITE],
    ['is allowed to the site', `${OTHER}/a.md`, SITE, AT_SITE],
    ['is of the site', `${SITE}/a.md`, null, AT_SITE],
    [
      'is of the site, all of which is redirected',
      'http://docs.example/a.md',
      null,
      { ...AT_SITE, requestUrl: 'http://docs.example/index.html' },
    ],
  ])('that %s can be read', (_, url, allow, bundle) => {
    expect(closed(url, allow, bundle)).toBeNull();
  });

  it.each([null, 'https://third.example', `${SITE}/`, `${SITE}:8443`])('that allows %s cannot be read', (allow) => {
    expect(closed(`${OTHER}/a.md`, allow, AT_SITE)).toMatchObject({ url: `${OTHER}/a.md`, allowOrigin: allow });
  });
});
