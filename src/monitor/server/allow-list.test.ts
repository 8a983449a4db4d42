import { describe, expect, it } from 'vitest';
import { allowList } from './probe.ts';

describe('an entry names', () => {
  const rows: readonly (readonly [entry: string, url: string, named: boolean])[] = [
    ['https://docs.example/', 'https://docs.example/', true],
    ['https://docs.example/', 'https://docs.example/guide/', true],
    ['https://docs.example/', 'http://docs.example/', false],
    ['https://docs.example/', 'https://docs.example:8443/', false],
    ['https://docs.example/', 'https://docs.example.attacker.example/', false],
    ['https://docs.example', 'https://docs.example/', true],
    ['https://docs.example:443/', 'https://docs.example/', true],
    ['https://docs.example/guide/', 'https://docs.example/guide/', true],
    ['https://docs.example/guide/', 'https://docs.example/', false],
    ['https://docs.example/guide/', 'https://docs.example/guide-of-others/', false],
    ['https://docs.example/guide/', 'https://docs.example/guide/../admin/', false],
    ['https://docs.example/guide', 'https://docs.example/guide/', true],
    ['https://docs.example/guide', 'https://docs.example/guide-secret/', false],
    ['https://docs.example/guide/index.html', 'https://docs.example/guide/', true],
    ['HTTPS://Docs.Example/', 'https://docs.example/', true],
    ['docs.example', 'https://docs.example/', true],
    ['docs.example', 'http://docs.example/any/', true],
    ['docs.example', 'http://docs.example:22/', false],
    ['docs.example', 'http://x.docs.example/', false],
    ['docs.example', 'http://notdocs.example/', false],
    ['docs.example', 'http://docs.example./', true],
    ['docs.example:8080', 'http://docs.example:8080/', true],
    ['docs.example:8080', 'http://docs.example/', false],
    ['docs.example:443', 'https://docs.example/', true],
    ['docs.example:443', 'http://docs.example/', false],
    ['*.example', 'https://docs.example/', true],
    ['*.example', 'https://a.b.example/', true],
    ['*.example', 'https://example/', false],
    ['*.example', 'https://docs.notexample/', false],
    ['*.example:8080', 'http://docs.example:8080/', true],
    ['*.example:8080', 'http://docs.example/', false],
    ['bücher.example', 'https://xn--bcher-kva.example/', true],
    ['127.0.0.1', 'http://127.0.0.1/', true],
    ['127.0.0.1', 'http://0x7f.1/', true],
    ['127.0.0.1', 'http://2130706433/', true],
    ['127.0.0.1', 'http://127.0.0.2/', false],
    ['127.0.0.1', 'http://127.0.0.1:8080/', false],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080/', true],
    ['10.0.0.0/8', 'http://10.1.2.3/', true],
    ['10.0.0.0/8', 'http://11.1.2.3/', false],
    ['10.0.0.0/8', 'http://10.1.2.3.attacker.example/', false],
    ['::1', 'http://[::1]/', true],
    ['[::1]', 'http://[::1]/', true],
    ['[::1]:8080', 'http://[::1]:8080/', true],
    ['fd00::/8', 'http://[fd00::7]/', true],
    ['fd00::/8', 'http://[fc00::7]/', false],
    ['*', 'https://docs.example/', false],
    ['', 'https://docs.example/', false],
    ['not a host', 'http://not/', false],
    ['10.0.0.0/99', 'http://10.0.0.1/', false],
    ['https://[', 'https://docs.example/', false],
  ];
  it.each(rows)('%j: %s: %s', (entry, url, named) => {
    expect(allowList([entry]).names(new URL(url))).toBe(named);
  });
});

describe('a listed name leads inside', () => {
  const rows: readonly (readonly [
    what: string,
    entries: readonly string[],
    url: string,
    address: string,
    inside: boolean,
  ])[] = [
    ['a public name to the loopback', ['docs.example.com'], 'http://docs.example.com/', '127.0.0.1', false],
    ['a public name to a private address', ['docs.example.com'], 'http://docs.example.com/', '10.0.0.1', false],
    ['a public URL to a private address', ['http://docs.example.com/'], 'http://docs.example.com/', '10.0.0.1', false],
    [
      'a public name into a network that is listed',
      ['docs.example.com', '10.0.0.0/8'],
      'http://docs.example.com/',
      '10.0.0.1',
      true,
    ],
    [
      'a public name into another network',
      ['docs.example.com', '10.0.0.0/8'],
      'http://docs.example.com/',
      '192.168.0.1',
      false,
    ],
    ['localhost', ['localhost:8080'], 'http://localhost:8080/', '127.0.0.1', true],
    ['localhost on another port', ['localhost:8080'], 'http://localhost:22/', '127.0.0.1', false],
    ['a name without dots', ['wiki'], 'http://wiki/', '192.168.7.7', true],
    ['a name without dots that is not listed', ['wiki'], 'http://router/', '192.168.7.1', false],
    ['an internal name', ['*.corp.internal'], 'https://docs.corp.internal/', 'fd00::7', true],
    [
      'an internal name to the metadata of a cloud',
      ['docs.internal'],
      'http://docs.internal/',
      '169.254.169.254',
      false,
    ],
    ['an internal name to all addresses', ['docs.internal'], 'http://docs.internal/', '0.0.0.0', false],
    ['an internal name to a multicast group', ['docs.internal'], 'http://docs.internal/', '239.1.1.1', false],
    ['an address', ['http://127.0.0.1:8080/'], 'http://127.0.0.1:8080/', '127.0.0.1', true],
    ['an address by another one', ['http://127.0.0.1:8080/'], 'http://127.0.0.1:8080/', '127.0.0.2', false],
    ['an IPv6 address', ['[::1]:8080'], 'http://[::1]:8080/', '::1', true],
    [
      'a mapped address in a listed network',
      ['docs.example.com', '10.0.0.0/8'],
      'http://docs.example.com/',
      '::ffff:10.0.0.1',
      true,
    ],
  ];
  it.each(rows)('%s', (_, entries, url, address, inside) => {
    expect(allowList(entries).reachesInside(new URL(url), address)).toBe(inside);
  });
});
