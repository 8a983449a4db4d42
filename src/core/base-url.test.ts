import { describe, expect, it } from 'vitest';
import { parseBaseUrl } from './base-url.ts';

describe('parseBaseUrl: bases', () => {
  it.each([
    ['an origin', 'https://x.example', 'https://x.example/'],
    ['an origin with its slash', 'https://x.example/', 'https://x.example/'],
    ['plain HTTP', 'http://x.example', 'http://x.example/'],
    ['a base path', 'https://x.example/docs', 'https://x.example/docs/'],
    ['a base path with its slash', 'https://x.example/docs/', 'https://x.example/docs/'],
    ['a deep base path', 'https://x.example/a/b/c', 'https://x.example/a/b/c/'],
    ['slashes too many', 'https://x.example/docs//', 'https://x.example/docs/'],
    ['a version for a folder', 'https://x.example/v1.2', 'https://x.example/v1.2/'],
    ['letter case of a path', 'https://x.example/Docs', 'https://x.example/Docs/'],
    ['letter case of scheme and host', 'HTTPS://X.Example/docs', 'https://x.example/docs/'],
    ['white space around', '  https://x.example/docs \n', 'https://x.example/docs/'],
    ['the bundle', 'https://x.example/docs/index.html', 'https://x.example/docs/'],
    ['the bundle in capitals', 'https://x.example/docs/INDEX.HTM', 'https://x.example/docs/'],
    ['the bundle and a route', 'https://x.example/docs/index.html#/guide.md', 'https://x.example/docs/'],
    ['the bundle, a query and a route', 'https://x.example/index.html?v=2#/a.md#b', 'https://x.example/'],
    ['a route', 'https://x.example/docs/#/guide.md', 'https://x.example/docs/'],
    ['a route without the slash before', 'https://x.example/docs#!guide.md', 'https://x.example/docs/'],
    ['a route that holds a whole URL', 'https://x.example/#/https://y.example/a.md', 'https://x.example/'],
    ['a query', 'https://x.example/docs?utm_source=mail', 'https://x.example/docs/'],
    ['a query with slashes', 'https://x.example/docs/?to=/a/b.md', 'https://x.example/docs/'],
    ['an empty query and fragment', 'https://x.example/docs/?#', 'https://x.example/docs/'],
    ['the configuration', 'https://x.example/docs/config.json', 'https://x.example/docs/'],
    ['a page', 'https://x.example/docs/navigation.md', 'https://x.example/docs/'],
    ['the agent index', 'https://x.example/llms.txt', 'https://x.example/'],
    ['a folder named like a file', 'https://x.example/manual.html/', 'https://x.example/manual.html/'],
    ['a port', 'http://127.0.0.1:8080/docs', 'http://127.0.0.1:8080/docs/'],
    ['the default port', 'https://x.example:443/', 'https://x.example/'],
    ['localhost', 'http://localhost:3000', 'http://localhost:3000/'],
    ['IPv6', 'http://[::1]:8080/docs', 'http://[::1]:8080/docs/'],
    ['an international name', 'https://münchen.example/hafen', 'https://xn--mnchen-3ya.example/hafen/'],
    ['an international path', 'https://x.example/港/', 'https://x.example/%E6%B8%AF/'],
    ['a space in the path', 'https://x.example/my docs', 'https://x.example/my%20docs/'],
    ['an @ in the path', 'https://x.example/@team/docs', 'https://x.example/@team/docs/'],
    ['dots in the path', 'https://x.example/a/../docs/.', 'https://x.example/docs/'],
  ])('%s: %s', (_name, given, base) => {
    const parsed = parseBaseUrl(given);
    expect(parsed.ok && parsed.base.href).toBe(base);
    expect(parsed.ok && parsed.site.href).toBe(base);
  });

  it.each([
    ['https://ana:secret@x.example/docs/index.html#/a.md', 'https://ana:secret@x.example/docs/'],
    ['https://token@x.example', 'https://token@x.example/'],
    ['https://:secret@x.example/', 'https://:secret@x.example/'],
    ['https://ana:p%40ss%3A@x.example/', 'https://ana:p%40ss%3A@x.example/'],
    ['https://ana:p@ss@x.example/', 'https://ana:p%40ss@x.example/'],
  ])('keeps userinfo for the transport only: %s', (given, site) => {
    const parsed = parseBaseUrl(given);
    expect(parsed.ok && parsed.site.href).toBe(site);
    expect(parsed.ok && [parsed.base.username, parsed.base.password]).toEqual(['', '']);
    expect(parsed.ok && parsed.base.href).not.toContain('@');
  });
});

describe('parseBaseUrl: problems', () => {
  it.each([
    ['file:///srv/docs/index.html', 'file'],
    ['FILE:///C:/docs/index.html', 'file'],
    ['file:/srv/docs', 'file'],
    ['file:docs', 'file'],
    ['file://server/share/docs', 'file'],
    ['/srv/docs/index.html', 'file'],
    ['./docs', 'file'],
    ['../../docs/', 'file'],
    ['C:\\docs\\index.html', 'file'],
    ['c:/docs', 'file'],
    ['ftp://x.example/', 'scheme'],
    ['ws://x.example/', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['mailto:ana@x.example', 'scheme'],
    ['view-source:https://x.example/', 'scheme'],
    ['blob:https://x.example/1', 'scheme'],
    ['x.example', 'no-scheme'],
    ['docs.x.example/guide', 'no-scheme'],
    ['x.example:8080/docs', 'no-scheme'],
    ['localhost', 'no-scheme-local'],
    ['localhost:3000', 'no-scheme-local'],
    ['localhost:3000/docs', 'no-scheme-local'],
    ['127.0.0.1:8080', 'no-scheme-local'],
    ['[::1]:8080', 'no-scheme-local'],
    ['docs.localhost:8080', 'no-scheme-local'],
    ['0.0.0.0:8000', 'no-scheme-local'],
    ['127.0.0.1.example', 'no-scheme'],
    ['localhost.example:80', 'no-scheme'],
    ['münchen.example', 'no-scheme'],
    ['http://', 'no-host'],
    ['https:', 'no-host'],
    ['https:///', 'no-host'],
    ['https://?x', 'no-host'],
    ['https://#/guide.md', 'no-host'],
    ['http:x.example', 'no-host'],
    ['https:/x.example', 'no-host'],
    ['', 'invalid'],
    ['   ', 'invalid'],
    ['docs', 'invalid'],
    ['the docs site', 'invalid'],
    ['https://x example/', 'invalid'],
    ['https://x.example/\nhttps://y.example/', 'invalid'],
    ['https://x.example/a\tb', 'invalid'],
    ['https://x.example:99999/', 'invalid'],
    ['https://x.example:port/', 'invalid'],
    ['https://[::1/', 'invalid'],
    ['https://%/', 'invalid'],
    ['https://1.2.3.999/', 'invalid'],
    ['#/guide.md', 'invalid'],
  ])('%j: %s', (given, problem) => {
    const parsed = parseBaseUrl(given);
    expect(parsed.ok ? parsed.base.href : parsed.problem).toBe(problem);
  });

  it.each([
    'ftp://ana:secret@x.example/docs',
    'https://ana:secret@x.example:99999/docs',
    'https://ana:s@secret@x.example:99999/',
    'https://ana:s/secret@x.example/',
    'https://ana:s?secret@x.example/',
    'https://ana:s#secret@x.example/',
    'ana:secret@x.example',
    'ana:secret@x.example:8080/docs',
    'ana:secret@localhost',
    '//ana:secret@x.example/',
    'https:ana:secret@x.example/',
    'https:/ana:secret@x.example/',
    'http s://ana:secret@x.example/',
  ])('never repeats userinfo: %s', (text) => {
    const parsed = parseBaseUrl(text);
    const shown = parsed.ok ? parsed.base.href : parsed.given;
    expect(shown).not.toContain('secret');
    expect(shown).not.toContain('ana');
  });
});
