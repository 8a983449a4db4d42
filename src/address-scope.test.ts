import { expect, it } from 'vitest';
import { scopeOf } from './address-scope.ts';

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
])('%s is %s', (address, scope) => {
  expect(scopeOf(address)).toBe(scope);
});
