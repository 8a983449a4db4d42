import { describe, expect, it } from 'vitest';
import { ProxyError, proxyFor } from './address.ts';

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
