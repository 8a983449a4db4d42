import { describe, expect, it } from 'vitest';
import { isMeantForUs, namedHosts } from './server.ts';

const named = namedHosts({ host: 'Monitor.example' }, 'https://status.example/docs/');

describe('a server on this machine only', () => {
  it.each([
    ['its address', '127.0.0.1:9464', true],
    ['another address', '192.0.2.7', true],
    ['an IPv6 address', '[::1]:9464', true],
    ['localhost', 'localhost:9464', true],
    ['localhost with the dot of the root', 'localhost.:9464', true],
    ['in capitals', 'LOCALHOST', true],
    ['below localhost', 'docs.localhost:9464', true],
    ['what it listens on', 'monitor.example:9464', true],
    ['where the page is published', 'status.example', true],
    ['a name of somebody else', 'rebind.example:9464', false],
    ['a name that ends like ours', 'notlocalhost', false],
    ['a name that begins like an address', '127.0.0.1.rebind.example', false],
    ['below the page', 'x.status.example', false],
    ['an address in other spelling', '0x7f000001', false],
    ['none', '', false],
    ['nonsense', 'local host', false],
    ['a port that is none', 'localhost:99999999', false],
    ['userinfo', 'localhost@rebind.example', false],
  ])('and %s: %s', (_, host, meant) => {
    expect(isMeantForUs(host, '127.0.0.1', named)).toBe(meant);
    expect(isMeantForUs(host, '::1', named)).toBe(meant);
  });
});

it.each(['0.0.0.0', '::', '192.0.2.1', '10.0.0.1', '2001:db8::1'])(
  'a server on %s answers under any name',
  (address) => {
    expect(isMeantForUs('anything.example', address, [])).toBe(true);
  },
);

it('a page whose URL cannot be read names nothing', () => {
  expect(namedHosts({ host: 'localhost' }, 'status.example')).toEqual(['localhost']);
});
