import { describe, expect, it } from 'vitest';
import { anyEvidence, finding, reportOf } from '../../../test/reports.ts';
import type { Report } from '../../core/check.ts';
import { causesOf, networkOf } from './causes.ts';

const failing = (rule: string, evidence = {}, host?: Report['site']['host']): Report => {
  const report = reportOf([{ id: 'bundle', findings: [finding({ rule, evidence: anyEvidence(evidence) })] }]);
  return host === undefined ? report : { ...report, site: { ...report.site, host } };
};
const SITE = new URL('https://docs.example.com/guide/');
const lookups = {
  resolver: async (host: string) => [
    { address: host === 'docs.example.com' ? '192.0.2.7' : '198.51.100.1', family: 4 },
  ],
  nameServers: async (zone: string) =>
    zone === 'example.com' ? ['NS1.example.net'] : Promise.reject(new Error('ENODATA')),
};

describe('what a failing site shares with others', () => {
  it.each<readonly [name: string, report: Report, known: Report['site']['host'], causes: readonly string[]]>([
    ['the network of its address', failing('refused'), undefined, ['address 192.0.2.0/24']],
    [
      'its name servers, where its name is not resolved',
      failing('dns-timeout'),
      undefined,
      ['name-server ns1.example.net'],
    ],
    ['its host', failing('server-error', {}, 'Netlify'), undefined, ['address 192.0.2.0/24', 'host Netlify']],
    ['the host that it had before', failing('refused'), 'Vercel', ['address 192.0.2.0/24', 'host Vercel']],
    ['no web server, which is everywhere', failing('server-error', {}, 'nginx'), undefined, ['address 192.0.2.0/24']],
    [
      'the host of a script that is missing',
      failing('script-missing', { url: 'https://cdn.example.net/docsify.js' }),
      'Netlify',
      ['script cdn.example.net'],
    ],
    [
      'not its own host as that of a script',
      failing('script-missing', { url: 'https://docs.example.com/a.js' }),
      undefined,
      ['address 192.0.2.0/24'],
    ],
  ])('%s', async (_, report, known, causes) => {
    expect(await causesOf(report, SITE, known, lookups)).toEqual(causes);
  });

  it('is its address where it is the name', async () => {
    expect(await causesOf(failing('refused'), new URL('http://[2001:db8:1:2::3]/'), undefined, lookups)).toEqual([
      'address 2001:db8:1::/48',
    ]);
  });

  it('is nothing where nothing is found', async () => {
    const nothing = { resolver: () => Promise.reject(new Error('ENOTFOUND')), nameServers: lookups.nameServers };
    expect(await causesOf(failing('refused'), SITE, undefined, nothing)).toEqual([]);
  });
});

describe('the network of an address', () => {
  it.each([
    ['192.0.2.77', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
    ['::1', '0:0:0::/48'],
  ])('%s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
