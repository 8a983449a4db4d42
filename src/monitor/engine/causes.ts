/**
 * What a failing site shares with others, as keys that can be compared: the network of its address, its name servers, the
 * product that hosts it, the host of an engine script that is missing. Sites that fail alike for one of these are notified
 * together.
 */
import { Resolver as DnsResolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { bytesOf, hostOf } from '../../http/address-scope.ts';
import type { Resolver } from '../../http/connect.ts';
import type { Report } from '../../core/check.ts';
import { errorsOf } from '../incident/findings.ts';
import { ruleName } from '../incident/document.ts';

/** How long a lookup may take: an outage is notified soon. */
const LOOKUP_MS = 1_000;
/** Hosting that many sites share. A web server's product says nothing of where it runs. */
const SHARED_HOSTS = new Set<unknown>(['GitHub Pages', 'S3 and CloudFront', 'Vercel', 'Netlify', 'Cloudflare']);

export interface Lookups {
  readonly resolver: Resolver;
  /** The name servers of a zone; rejects where there are none. */
  readonly nameServers?: (zone: string) => Promise<readonly string[]>;
}

/** `url`: of the site. `known`: the host's product, as the last run that had a response saw it. */
export async function causesOf(
  report: Report,
  url: URL,
  known: Report['site']['host'],
  lookups: Lookups,
): Promise<readonly string[]> {
  const errors = report.checks.flatMap((result) => errorsOf(result, false));
  const scripts = errors.flatMap(({ evidence: { url: script } }) => scriptHost(script, url));
  // The site itself responds: what it shares with others is the script.
  if (scripts.length > 0) return [...new Set(scripts)].map((host) => `script ${host}`);
  const isUnresolved = errors.some(({ rule }) => ruleName(rule).startsWith('dns-'));
  const host = report.site.host ?? known;
  const [addresses, servers] = await Promise.all([
    isUnresolved ? [] : addressesOf(hostOf(url), lookups.resolver),
    isUnresolved ? nameServersOf(hostOf(url), lookups.nameServers ?? resolveNameServers) : [],
  ]);
  return [
    ...new Set(addresses.map((address) => `address ${networkOf(address)}`)),
    ...servers.map((server) => `name-server ${server.toLowerCase()}`),
    ...(SHARED_HOSTS.has(host) ? [`host ${host}`] : []),
  ];
}

/** The host of a script of another origin. */
function scriptHost(script: unknown, site: URL): readonly string[] {
  const url = typeof script === 'string' ? URL.parse(script, site.href) : null;
  return url === null || url.origin === site.origin ? [] : [url.host];
}

async function addressesOf(host: string, resolver: Resolver): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  const found = await inTime(resolver(host, 0));
  return found.map(({ address }) => address);
}

/** The name servers of the closest zone that has some. */
async function nameServersOf(host: string, ask: NonNullable<Lookups['nameServers']>): Promise<readonly string[]> {
  const labels = host.split('.');
  const zones = labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
  const all = await Promise.all(zones.map((zone) => inTime(ask(zone))));
  return all.find((servers) => servers.length > 0) ?? [];
}

const resolveNameServers = (zone: string): Promise<readonly string[]> =>
  new DnsResolver({ timeout: LOOKUP_MS, tries: 1 }).resolveNs(zone);

/** What is not found in time is not known. */
async function inTime<T>(looking: Promise<readonly T[]>): Promise<readonly T[]> {
  const { promise: late, resolve } = Promise.withResolvers<readonly T[]>();
  const timer = setTimeout(() => resolve([]), LOOKUP_MS);
  return Promise.race([looking.catch(() => []), late]).finally(() => clearTimeout(timer));
}

/** `192.0.2.0/24`, or `2001:db8:1::/48`. */
export function networkOf(address: string): string {
  const bytes = bytesOf(address) ?? new Uint8Array(4);
  if (bytes.length === 4) return `${bytes.slice(0, 3).join('.')}.0/24`;
  const view = new DataView(bytes.buffer);
  return `${[0, 2, 4].map((at) => view.getUint16(at).toString(16)).join(':')}::/48`;
}
