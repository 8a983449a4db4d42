import { expect, it } from 'vitest';
import { isGloballyReachable, isPublic, scopeOf } from './address-scope.ts';

it.each([
  ['8.8.8.8', 'public'],
  ['2001:db8::1', 'public'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:10.0.0.1', 'private'],
  ['169.254.169.254', 'link-local'],
  ['fe80::1', 'link-local'],
  ['10.0.0.1', 'private'],
  ['172.16.0.1', 'private'],
  ['172.32.0.1', 'public'],
  ['192.168.1.1', 'private'],
  ['100.64.0.1', 'private'],
  ['fd00::1', 'private'],
  ['0.0.0.0', 'unspecified'],
  ['::', 'unspecified'],
  ['fe80::1%eth0', 'link-local'],
  ['::ffff:7f00:1', 'loopback'],
  ['::127.0.0.1', 'loopback'],
  ['64:ff9b::127.0.0.1', 'loopback'],
  ['64:ff9b::8.8.8.8', 'public'],
  ['2002:7f00:1::', 'loopback'],
  ['2002:0a00:0001::1', 'private'],
  ['no address', 'public'],
])('%s is %s', (address, scope) => {
  expect(scopeOf(address)).toBe(scope);
});

it.each([
  ['8.8.8.8', true],
  ['1.1.1.1', true],
  ['223.255.255.255', true],
  ['2606:4700::1111', true],
  ['::ffff:8.8.8.8', true],
  // A network without IPv4 reaches every IPv4 host so.
  ['64:ff9b::8.8.8.8', true],
  ['64:ff9b::10.0.0.1', false],
  ['64:ff9b:1::8.8.8.8', false],
  ['10.1.2.3', false],
  ['127.0.0.1', false],
  ['169.254.169.254', false],
  ['100.100.100.200', false],
  ['0.0.0.0', false],
  ['192.0.0.192', false],
  ['192.0.2.1', false],
  ['192.88.99.1', false],
  ['198.18.0.1', false],
  ['198.51.100.7', false],
  ['203.0.113.7', false],
  ['224.0.0.1', false],
  ['239.255.255.250', false],
  ['240.0.0.1', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  // Compatible addresses are not in use any more (RFC 4291, section 2.5.5.1).
  ['::8.8.8.8', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:a9fe:a9fe', false],
  ['fe80::1', false],
  ['fe80::1%eth0', false],
  ['fec0::1', false],
  ['fc00::1', false],
  ['fd12:3456::1', false],
  ['ff02::1', false],
  ['100::1', false],
  ['2001::1', false],
  ['2001:2::1', false],
  ['2001:db8::1', false],
  ['2002:808:808::1', false],
  ['3fff::1', false],
  ['5f00::1', false],
  ['4000::1', false],
  ['localhost', false],
  ['', false],
])('%s is reachable from everywhere: %s', (address, reachable) => {
  expect(isGloballyReachable(address)).toBe(reachable);
});

it.each([
  ['https://docs.example/', null, true],
  ['https://docs.example/', '192.168.1.5', false],
  ['https://wiki/', null, false],
  ['https://wiki.internal/', '203.0.113.5', false],
  ['https://wiki.lan./', null, false],
  ['https://wiki./', null, false],
  ['https://[::1]/', null, false],
  ['https://[fd00::1]/', null, false],
  ['https://[2001:db8::1]/', null, true],
  ['https://docs.example/', '::ffff:10.0.0.1', false],
])('%s at %s is public: %s', (url, address, expected) => {
  expect(isPublic(new URL(url), address)).toBe(expected);
});
