/**
 * Which site a probe is about, and where it may connect to. Whoever reaches the server may request a probe, so a site of
 * the monitor, with its headers and all its pages, is probed only where the list names it, too.
 */
import { BlockList, isIP, isIPv6 } from 'node:net';
import { isGloballyReachable, scopeOf } from '../../address-scope.ts';
import { parseBaseUrl, type BaseUrl } from '../../base-url.ts';
import type { Admit } from '../../http/address.ts';
import type { MonitorSettings } from '../settings.ts';
import { RequestProblem } from './request.ts';

const LONGEST_TARGET = 2_048;

/**
 * Reads `target`: the id of a site, or a URL. `address`: for a site of the monitor, with the userinfo of the configuration;
 * `site`: the monitor's site that it is, `null`: none. Throws a `RequestProblem`: `bad-target` for what is neither,
 * `target-not-allowed` for what may not be probed.
 */
export function targetOf(given: string, { sites, probe }: Pick<MonitorSettings, 'sites' | 'probe'>) {
  const byId = sites.find(({ id }) => id === given);
  const address = addressOf(byId?.url ?? demandUrl(given));
  const site = byId ?? sites.find(({ url }) => addressOf(url).base.href === address.base.href) ?? null;
  // The id of a site names that and no host.
  const list = allowList(probe.targets.filter((entry) => sites.every(({ id }) => id !== entry.trim())));
  const own = site !== null && probe.targets.some((entry) => isItself(entry.trim(), site.id, address));
  if (!own && !list.names(address.base)) throw new RequestProblem('target-not-allowed', 'target');
  return { address: site === null ? address : addressOf(site.url), site, admit: admitted(address.base, list, own) };
}

function isItself(entry: string, id: string, { base }: ReturnType<typeof addressOf>): boolean {
  if (entry === id) return true;
  const entered = parseBaseUrl(entry);
  return entered.ok && entered.base.href === base.href;
}

/** What a query says has no secrets in it, and nothing that would be left out of it. */
function demandUrl(given: string): string {
  if (given.length > LONGEST_TARGET || !/^https?:\/\/[^\s@?#\\]+$/i.test(given))
    throw new RequestProblem('bad-target', 'target');
  return given;
}

function addressOf(url: string): Extract<BaseUrl, { ok: true }> {
  const address = parseBaseUrl(url);
  if (!address.ok) throw new RequestProblem('bad-target', 'target');
  return address;
}

/**
 * Public addresses are open to all hops, wherever they lead. Others: to the target's own host, where the configuration
 * says so, and from there to what the list names; a public site leads nowhere inside. `own`: a site of the monitor that is
 * listed as such, which may live inside. No site is link-local, but metadata services of clouds are. Behind a proxy, which
 * resolves names by itself, only to what is named.
 */
function admitted(target: URL, list: ReturnType<typeof allowList>, own: boolean): Admit {
  let isInside = false;
  return (url, address) => {
    const isOwn = url.host === target.host;
    if (address === null) return (isOwn && own) || list.names(url);
    if (isGloballyReachable(address)) return true;
    if (scopeOf(address) === 'link-local') return false;
    if (isOwn) {
      const isNamed = own || list.reachesInside(url, address);
      isInside ||= isNamed;
      return isNamed;
    }
    return isInside && list.reachesInside(url, address);
  };
}

/*
 * What `/probe` may request: the targets of `monitor.probe.targets`. No one who can reach the server may use it to reach what
 * only the server reaches.
 *
 * An entry is one of:
 * - a base URL (`https://docs.example.com/guide/`): this origin, and paths below that one;
 * - a host (`docs.example.com`, `*.example.com` for its subdomains): http on port 80 and https on port 443;
 * - a host or an address with a port (`localhost:8080`, `[::1]:8080`): that port, http or https;
 * - an address or a network (`192.0.2.7`, `10.1.0.0/16`): URLs with such an address, and, whatever the name, connections
 *   to it.
 *
 * A name that is on the list may lead to public addresses only, so that its owner cannot lead us inside.
 * Unless it is a name that only exists inside (`localhost`, `wiki`, `docs.internal`), or its network is on the list too.
 */

/** Names that cannot be registered (RFC 6761, RFC 6762, RFC 8375, and `internal` as ICANN has reserved it). */
const INSIDE = /(?:^|\.)(?:localhost|local|internal|home\.arpa|lan|test)$/;

type Entry = (url: URL) => boolean;

export function allowList(entries: readonly string[]) {
  const networks = new BlockList();
  const matchers = entries.map((entry) => matcherOf(entry.trim(), networks));
  const names = (url: URL): boolean => matchers.some((matches) => matches(url));
  return {
    names,
    /** Whether a URL that is on it may be connected to at an address that is not public. */
    reachesInside: (url: URL, address: string): boolean =>
      names(url) && (hostOf(url) === address || isIn(networks, address) || isInsideName(url, address)),
  };
}

function matcherOf(entry: string, networks: BlockList): Entry {
  if (/^https?:\/\//i.test(entry)) return urlMatcher(entry);
  if (addNetwork(entry, networks)) {
    const own = new BlockList();
    addNetwork(entry, own);
    return (url) => isDefaultPort(url) && isIn(own, hostOf(url));
  }
  const parts = /^(?<any>\*\.)?(?<host>\[[0-9a-f:.]+\]|[^\s/:[\]*@]+)(?::(?<port>\d{1,5}))?$/i.exec(entry)?.groups;
  if (parts === undefined || !URL.canParse(`http://${parts['host']}/`)) return () => false;
  const { any, port } = parts;
  const host = hostOf(new URL(`http://${parts['host']}/`));
  return (url) => {
    const isHost = any === undefined ? hostOf(url) === host : hostOf(url).endsWith(`.${host}`);
    return isHost && (port === undefined ? isDefaultPort(url) : portOf(url) === Number(port));
  };
}

function urlMatcher(entry: string): Entry {
  const entered = parseBaseUrl(entry);
  if (!entered.ok) return () => false;
  const { origin, pathname } = entered.base;
  return (url) => url.origin === origin && url.pathname.startsWith(pathname);
}

/** Adds `10.0.0.0/8` or `192.0.2.7`; shows whether it is one. */
function addNetwork(entry: string, networks: BlockList): boolean {
  const [network = '', prefix, ...more] = entry.split('/');
  if (isIP(network) === 0 || more.length > 0) return false;
  const family = isIPv6(network) ? 'ipv6' : 'ipv4';
  const bits = family === 'ipv6' ? 128 : 32;
  if (prefix !== undefined && !/^\d{1,3}$/.test(prefix)) return false;
  if (Number(prefix ?? bits) > bits) return false;
  networks.addSubnet(network, Number(prefix ?? bits), family);
  return true;
}

function isIn(networks: BlockList, address: string): boolean {
  return isIP(address) !== 0 && networks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Such a name is resolved inside the network; but never to addresses without sites, such as a cloud's metadata. */
function isInsideName(url: URL, address: string): boolean {
  const host = hostOf(url);
  const isInside = !host.includes('.') || INSIDE.test(host);
  return isInside && ['private', 'loopback'].includes(scopeOf(address));
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function isDefaultPort(url: URL): boolean {
  return url.port === '';
}

function portOf(url: URL): number {
  return Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
}
