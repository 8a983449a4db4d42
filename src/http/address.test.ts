import { describe, expect, it } from 'vitest';
import { scopeGuard, ProxyError, proxyFor } from './address.ts';
import type { Failure } from './failure.ts';

const refuses = (site: string, url: string, addresses: readonly (string | null)[] = [null]): boolean => {
  try {
    scopeGuard(new URL(site)).admit(new URL(url), addresses);
    return false;
  } catch {
    return true;
  }
};

describe('scopeGuard, where a proxy resolves names', () => {
  it.each([
    ['http://localhost:5173/a.js', true],
    ['http://app.localhost/a.js', true],
    ['http://127.0.0.1/a.js', true],
    ['http://[::1]/a.js', true],
    ['http://169.254.169.254/latest/meta-data/', true],
    // Of the network that the proxy is for, perhaps.
    ['http://10.0.0.5/a.js', false],
    ['https://cdn.example.net/a.js', false],
    ['https://docs.example.com/a.js', false],
  ])('%s, named by a public site: refused: %s', (url, expected) => {
    expect(refuses('https://docs.example.com/', url)).toBe(expected);
  });

  it('lets a site of that machine name others of it', () => {
    expect(refuses('http://localhost:4173/', 'http://127.0.0.1:5173/a.js')).toBe(false);
    expect(refuses('http://127.0.0.1:4173/', 'http://127.0.0.1:5173/a.js')).toBe(false);
  });

  it('goes by the address where it is known', () => {
    expect(refuses('https://docs.example.com/', 'https://cdn.example.net/a.js', ['192.168.0.1'])).toBe(true);
    expect(refuses('https://docs.example.com/', 'https://cdn.example.net/a.js', ['93.184.216.34'])).toBe(false);
  });
});

const PROXY = 'http://proxy.test:3128';

describe('proxyFor', () => {
  it.each([
    ['none set', 'http://a.test/', {}, null],
    ['http', 'http://a.test/', { HTTP_PROXY: PROXY }, `${PROXY}/`],
    ['https by its own variable', 'https://a.test/', { HTTP_PROXY: PROXY }, null],
    ['https', 'https://a.test/', { HTTPS_PROXY: PROXY }, `${PROXY}/`],
    [
      'lower case first',
      'http://a.test/',
      { http_proxy: 'http://lower.test', HTTP_PROXY: PROXY },
      'http://lower.test/',
    ],
    ['all', 'https://a.test/', { ALL_PROXY: PROXY }, `${PROXY}/`],
    ['without a scheme', 'http://a.test/', { HTTP_PROXY: 'proxy.test:3128' }, `${PROXY}/`],
    ['empty', 'http://a.test/', { HTTP_PROXY: '' }, null],
    ['NO_PROXY: everything', 'http://a.test/', { HTTP_PROXY: PROXY, NO_PROXY: '*' }, null],
    ['NO_PROXY: the host', 'http://a.test/', { HTTP_PROXY: PROXY, NO_PROXY: 'b.test, a.test' }, null],
    ['NO_PROXY: a parent', 'http://docs.a.test/', { HTTP_PROXY: PROXY, NO_PROXY: 'a.test' }, null],
    ['NO_PROXY: a parent with a dot', 'http://docs.a.test/', { HTTP_PROXY: PROXY, NO_PROXY: '.a.test' }, null],
    ['NO_PROXY: no parent', 'http://docsa.test/', { HTTP_PROXY: PROXY, NO_PROXY: 'a.test' }, `${PROXY}/`],
    ['NO_PROXY: the port', 'http://a.test:8080/', { HTTP_PROXY: PROXY, NO_PROXY: 'a.test:8080' }, null],
    ['NO_PROXY: another port', 'http://a.test/', { HTTP_PROXY: PROXY, NO_PROXY: 'a.test:8080' }, `${PROXY}/`],
    ['NO_PROXY: an address', 'http://127.0.0.1/', { HTTP_PROXY: PROXY, NO_PROXY: '127.0.0.1' }, null],
    ['NO_PROXY: a block', 'http://10.1.2.3/', { HTTP_PROXY: PROXY, NO_PROXY: '10.0.0.0/8' }, null],
    ['NO_PROXY: outside the block', 'http://11.1.2.3/', { HTTP_PROXY: PROXY, NO_PROXY: '10.0.0.0/8' }, `${PROXY}/`],
    ['NO_PROXY: IPv6', 'http://[::1]:8080/', { HTTP_PROXY: PROXY, NO_PROXY: '::1' }, null],
    ['NO_PROXY: IPv6 in brackets', 'http://[::1]:8080/', { HTTP_PROXY: PROXY, NO_PROXY: '[::1]:8080' }, null],
    ['NO_PROXY: IPv6 block', 'http://[fd00::5]/', { HTTP_PROXY: PROXY, NO_PROXY: 'fd00::/8' }, null],
    ['NO_PROXY: all of IPv6, for IPv4', 'http://10.1.2.3/', { HTTP_PROXY: PROXY, NO_PROXY: '::/0' }, `${PROXY}/`],
    ['NO_PROXY: a block is no name', 'http://a.test/', { HTTP_PROXY: PROXY, NO_PROXY: '10.0.0.0/8' }, `${PROXY}/`],
    [
      'NO_PROXY: a block with too many bits',
      'http://10.1.2.3/',
      { HTTP_PROXY: PROXY, NO_PROXY: '10.0.0.0/99' },
      `${PROXY}/`,
    ],
  ])('%s', (_name, url, environment, expected) => {
    expect(proxyFor(new URL(url), environment)?.href ?? null).toBe(expected);
  });

  it.each([
    ['SOCKS', { ALL_PROXY: 'socks5://127.0.0.1:1080' }, 'ALL_PROXY'],
    ['nonsense', { http_proxy: 'http://' }, 'http_proxy'],
  ])('names the variable that holds %s', (_name, environment, variable) => {
    expect(() => proxyFor(new URL('http://a.test/'), environment)).toThrow(new ProxyError(variable));
  });
});

describe('scopeGuard, for the name of the site itself', () => {
  const SITE = new URL('https://docs.example.com/');
  const PUBLIC = '93.184.216.34';
  /** The addresses that each resolution in turn leaves; a connection is made to the first, or fails. */
  const admitted = (resolutions: readonly (readonly string[])[], { fails = false } = {}): unknown[] => {
    const guard = scopeGuard(SITE);
    return resolutions.map((addresses) => {
      try {
        const open = guard.admit(SITE, addresses);
        if (!fails && open[0] !== undefined) guard.connected(SITE, open[0]);
        return open;
      } catch (error) {
        return (error as Failure).evidence['scope'];
      }
    });
  };

  it.each(['127.0.0.1', '169.254.169.254', '168.63.129.16', '10.0.0.1', '::1', 'fd00:ec2::254', '0.0.0.0'])(
    'does not lead from the internet to %s later',
    (address) => {
      const [first, later] = admitted([[PUBLIC], [address]]);
      expect(first).toEqual([PUBLIC]);
      expect(later).toBeTypeOf('string');
      expect(admitted([[PUBLIC], [address, PUBLIC]])).toEqual([[PUBLIC], [PUBLIC]]);
    },
  );

  it('does not lead from a private network to this machine or its link', () => {
    const resolutions = [['10.0.0.1'], ['127.0.0.1'], ['169.254.169.254'], ['192.168.0.1'], [PUBLIC]];
    expect(admitted(resolutions)).toEqual([['10.0.0.1'], 'loopback', 'link-local', ['192.168.0.1'], [PUBLIC]]);
  });

  it('may be on this machine, and stays there', () => {
    const resolutions = [['::1', '127.0.0.1'], ['127.0.0.1'], ['10.0.0.1'], ['169.254.169.254']];
    expect(admitted(resolutions)).toEqual([['::1', '127.0.0.1'], ['127.0.0.1'], 'private', 'link-local']);
  });

  it('leads to no nearer address beside a farther one', () => {
    expect(admitted([[PUBLIC, '127.0.0.1']])).toEqual([[PUBLIC]]);
    expect(admitted([['fe80::1%eth0', '192.168.0.1']])).toEqual([['192.168.0.1']]);
  });

  it('does not lead elsewhere while the first connection is opened, or after it failed', () => {
    expect(admitted([[PUBLIC], ['127.0.0.1']], { fails: true })).toEqual([[PUBLIC], 'loopback']);
  });

  it('opens nothing to other hosts by an address that was only resolved', () => {
    const guard = scopeGuard(SITE);
    const inside = new URL('http://10.0.0.2/');
    guard.admit(SITE, [PUBLIC, '10.0.0.1']);
    expect(() => guard.admit(inside, ['10.0.0.2'])).toThrow('blocked-address');
    guard.connected(SITE, PUBLIC);
    expect(() => guard.admit(inside, ['10.0.0.2'])).toThrow('blocked-address');
    const own = scopeGuard(SITE);
    own.connected(SITE, '10.0.0.1');
    expect(own.admit(inside, ['10.0.0.2'])).toEqual(['10.0.0.2']);
  });
});
