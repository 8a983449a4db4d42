import { describe, expect, it } from 'vitest';
import { settingsOf, siteOf } from '../../../test/server/view.ts';
import { RequestProblem } from './request.ts';
import { targetOf } from './probe.ts';

const OWN = siteOf({ id: 'manual', url: 'https://user:secret@manual.example/docs/' });
const INTRANET = siteOf({ id: 'wiki', url: 'http://wiki.corp.example/' });
const BY_HOST = siteOf({ id: 'host-listed', url: 'http://host.corp.example/' });

const LISTED = ['manual', 'http://wiki.corp.example'];

const target = (given: string, targets: readonly string[] = LISTED) =>
  targetOf(given, settingsOf({ sites: [OWN, INTRANET, BY_HOST], probe: { targets, modules: new Map() } }));

function codeOf(given: string, targets: readonly string[] = LISTED): string {
  try {
    target(given, targets);
    return 'allowed';
  } catch (error) {
    return error instanceof RequestProblem ? error.problem.code : 'thrown';
  }
}

describe('a target', () => {
  it.each([
    ['the id of a site', 'manual', 'allowed'],
    ['the URL of a site', 'https://manual.example/docs/', 'allowed'],
    ['the URL of a site without its last slash', 'https://manual.example/docs', 'allowed'],
    ['the URL of a site, a page of it', 'https://manual.example/docs/index.html', 'allowed'],
    ['above a site', 'https://manual.example/', 'target-not-allowed'],
    ['a site on another port', 'https://manual.example:8443/docs/', 'target-not-allowed'],
    ['the id of a site that is listed by its URL', 'wiki', 'allowed'],
    ['the id of a site as a host', 'http://manual/', 'target-not-allowed'],
    ['nothing', '', 'bad-target'],
    ['a host without a scheme', 'manual.example', 'bad-target'],
    ['another scheme', 'ftp://manual.example/', 'bad-target'],
    ['a file', 'file:///etc/passwd', 'bad-target'],
    ['userinfo', 'https://user@manual.example/docs/', 'bad-target'],
    ['userinfo that hides the host', 'https://manual.example@attacker.example/docs/', 'bad-target'],
    ['a backslash', String.raw`https://manual.example\@attacker.example/`, 'bad-target'],
    ['a query', 'https://manual.example/docs/?x', 'bad-target'],
    ['a fragment', 'https://manual.example/docs/#/x.md', 'bad-target'],
    ['a line feed', 'https://manual.example/docs/\nX', 'bad-target'],
    ['a zone', 'http://[fe80::1%25eth0]/', 'bad-target'],
    ['no host', 'https:///docs/', 'bad-target'],
    ['a host that cannot be', 'https://[::1/', 'bad-target'],
    ['far too long', `https://manual.example/${'x'.repeat(3_000)}`, 'bad-target'],
    ['somebody else', 'https://attacker.example/', 'target-not-allowed'],
    ['the loopback', 'http://127.0.0.1/', 'target-not-allowed'],
  ])('%s: %s', (_, given, code) => {
    expect(codeOf(given)).toBe(code);
  });

  it('that is on the list is allowed', () => {
    expect(codeOf('https://guide.example/', ['guide.example'])).toBe('allowed');
  });

  it.each([
    ['by id', 'manual', [], 'target-not-allowed'],
    ['by URL', 'https://manual.example/docs/', [], 'target-not-allowed'],
    ['by id, another one listed', 'manual', ['wiki'], 'target-not-allowed'],
    ['by id, its host listed', 'manual', ['manual.example'], 'allowed'],
    ['by id, its URL listed', 'manual', ['https://manual.example/docs'], 'allowed'],
    ['by URL, its id listed', 'https://manual.example/docs/', ['manual'], 'allowed'],
    ['by id, a page of it listed', 'manual', ['https://manual.example/docs/guide/'], 'target-not-allowed'],
  ])('that is a site is allowed only where it is listed: %s', (_, given, targets, code) => {
    expect(codeOf(given, targets)).toBe(code);
  });

  it('that is a site has its userinfo and its settings', () => {
    const { address, site } = target('https://manual.example/docs/');
    expect([address.site.password, address.base.password, site?.id]).toEqual(['secret', '', 'manual']);
  });
});

describe('a probe of', () => {
  const LIST = [
    'guide.example',
    'intranet',
    '10.9.0.0/16',
    'http://127.0.0.1:8080/',
    'host.corp.example',
    ...LISTED,
    '169.254.0.0/16',
  ];
  const rows: readonly (readonly [
    what: string,
    given: string,
    hops: readonly (readonly [url: string, address: string | null, admitted: boolean])[],
  ])[] = [
    [
      'a listed site',
      'http://guide.example/',
      [
        ['http://guide.example/', '93.184.216.34', true],
        ['https://guide.example/', '93.184.216.34', true],
        ['https://www.elsewhere.example/', '93.184.216.35', true],
        ['http://guide.example/', '127.0.0.1', false],
        ['http://guide.example/', '::ffff:169.254.169.254', false],
        ['http://guide.example/', '10.9.1.1', true],
        ['http://guide.example/', '10.8.1.1', false],
      ],
    ],
    [
      'a listed site that redirects inside',
      'http://guide.example/',
      [
        ['http://guide.example/', '93.184.216.34', true],
        ['http://intranet/', '192.168.1.7', false],
        ['http://127.0.0.1:8080/', '127.0.0.1', false],
        ['http://metadata.example/', '169.254.169.254', false],
        ['http://[::1]/', '::1', false],
      ],
    ],
    [
      'a listed name inside',
      'http://intranet/',
      [
        ['http://intranet/', '192.168.1.7', true],
        ['http://127.0.0.1:8080/', '127.0.0.1', true],
        ['http://127.0.0.1:22/', '127.0.0.1', false],
        ['http://router/', '192.168.1.1', false],
        ['http://elsewhere.example/', '93.184.216.34', true],
      ],
    ],
    [
      'a link-local address, though it is listed',
      'http://169.254.169.254/',
      [['http://169.254.169.254/', '169.254.169.254', false]],
    ],
    [
      'a site of the monitor that is listed by its host alone',
      'host-listed',
      [
        ['http://host.corp.example/', '93.184.216.34', true],
        ['http://host.corp.example/', '10.1.1.1', false],
        ['http://host.corp.example/', '10.9.1.1', true],
      ],
    ],
    [
      'an address',
      'http://127.0.0.1:8080/',
      [
        ['http://127.0.0.1:8080/', '127.0.0.1', true],
        ['http://127.0.0.1:9090/', '127.0.0.1', false],
      ],
    ],
    [
      'a site of the monitor',
      'wiki',
      [
        ['http://wiki.corp.example/', '10.1.1.1', true],
        ['http://wiki.corp.example/', '127.0.0.1', true],
        ['http://wiki.corp.example/', '169.254.169.254', false],
        ['http://wiki.corp.example/', '::ffff:169.254.169.254', false],
        ['http://wiki.corp.example/', 'fe80::1%eth0', false],
        ['http://other.corp.example/', '10.1.1.2', false],
      ],
    ],
    [
      'a listed site through a proxy',
      'http://guide.example/',
      [
        ['http://guide.example/', null, true],
        ['http://elsewhere.example/', null, false],
      ],
    ],
    [
      'a site of the monitor through a proxy',
      'manual',
      [
        ['https://manual.example/docs/', null, true],
        ['https://elsewhere.example/', null, false],
      ],
    ],
  ];
  it.each(rows)('%s', (_, given, hops) => {
    const { admit } = target(given, LIST);
    expect(hops.map(([url, address]) => [url, address, admit(new URL(url), address)])).toEqual(hops);
  });
});

describe('the headers of a module', () => {
  it.each([
    ['docs.example.com', 'https://docs.example.com/', true],
    ['docs.example.com', 'http://docs.example.com/', false],
    ['docs.example.com:8080', 'http://docs.example.com:8080/', true],
    ['192.0.2.7', 'https://192.0.2.7/', true],
    ['192.0.2.0/24', 'https://192.0.2.7/', false],
    ['*.example.com', 'https://docs.example.com/', false],
    ['https://docs.example.com/guide/', 'https://docs.example.com/guide/start/', true],
    ['manual', 'manual', true],
  ])('with %s in the list, may go to %s: %s', (entry, given, expected) => {
    expect(target(given, [entry]).isNamed).toBe(expected);
  });
});
