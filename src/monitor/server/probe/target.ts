/**
 * Which site a probe is about, and where it may connect to. Whoever reaches the server may ask, so that a site of the
 * monitor, with its headers and its whole extent, is probed only where the list names it, too.
 */
import { isGloballyReachable, scopeOf } from '../../../address-scope.ts';
import { parseBaseUrl, type BaseUrl } from '../../../base-url.ts';
import type { Admit } from '../../../http/address.ts';
import type { MonitoredSite, MonitorSettings } from '../../settings.ts';
import { RequestProblem } from '../problem.ts';
import { allowList, type AllowList } from './allow-list.ts';

/** A target that may be probed. */
export interface Target {
  /** With the userinfo of the configuration, for a site of the monitor. */
  readonly address: Extract<BaseUrl, { ok: true }>;
  /** The monitor's site that it is; `null`: it is none. */
  readonly site: MonitoredSite | null;
  readonly admit: Admit;
}

const LONGEST_TARGET = 2_048;

/**
 * Reads `target`: the id of a site, or a URL. Throws a `RequestProblem`: `bad-target` for what is neither,
 * `target-not-allowed` for what may not be probed.
 */
export function targetOf(given: string, { sites, probe }: Pick<MonitorSettings, 'sites' | 'probe'>): Target {
  const byId = sites.find(({ id }) => id === given);
  const address = addressOf(byId?.url ?? demandUrl(given));
  const site = byId ?? sites.find(({ url }) => addressOf(url).base.href === address.base.href) ?? null;
  // The id of a site names that and no host.
  const list = allowList(probe.targets.filter((entry) => sites.every(({ id }) => id !== entry.trim())));
  const own = site !== null && probe.targets.some((entry) => isItself(entry.trim(), site.id, address));
  if (!own && !list.names(address.base)) throw new RequestProblem('target-not-allowed', 'target');
  return { address: site === null ? address : addressOf(site.url), site, admit: admitted(address.base, list, own) };
}

/** Whether an entry of the list is the id or the URL of a site. */
function isItself(entry: string, id: string, { base }: Target['address']): boolean {
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
 * listed as such, which may live inside. No site is link-local, but what tells a cloud's secrets is. Behind a proxy, which
 * resolves names by itself, only to what is named.
 */
function admitted(target: URL, list: AllowList, own: boolean): Admit {
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
