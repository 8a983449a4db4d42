/** How the sites of the configuration are checked: by the monitor, and by `docvitals check --site`. */
import type { CheckFlags } from './options.ts';
import { parseBaseUrl } from '../base-url.ts';
import type { Check } from '../check.ts';
import type { CheckSiteOptions } from '../check-site.ts';
import type { Environment } from '../config/values.ts';
import type { Limits } from '../limits.ts';
import type { Scope } from '../monitor/incident/incident.ts';
import type { Checking, MonitoredSite } from '../monitor/settings.ts';
import type { Source } from '../source/types.ts';
import { known } from './arguments.ts';
import { selectChecks, type Address } from './run-options.ts';
import { allChecks, loadSettings, type ProjectFlags, type ProjectSettings } from './settings.ts';
import { UsageError } from './usage-error.ts';

/**
 * What bounds a run of the core checks unless the configuration says otherwise. An incident is confirmed by runs of its own,
 * so that nothing is tried again within one; and what takes longer than this would be noticed too late.
 */
const QUICK_LIMITS: Partial<Limits> = { retries: 0, deadlineMs: 15_000 };

/**
 * What a run over a site runs: `five` the quick checks and the site's own, `full` all that are not left out, `browser`
 * with the quick ones those by which a site may be down; the browser itself is added where it is known.
 * Cheap, and pure: the same options each time.
 */
export function siteRun(site: MonitoredSite, scope: Scope, env: Environment): CheckSiteOptions {
  return checkingRun(addressOf(site.url), site.checking, scope, env);
}

export function checkingRun(address: Address, checking: Checking, scope: Scope, env: Environment): CheckSiteOptions {
  const full = scope === 'full';
  const { external, host, engine, limits, headers, resolve, rules, strict } = checking;
  return {
    site: address,
    checks: selected(checking, scope),
    requested: { full, external: full && external, host, engine, source: null, expected: null },
    limits: { ...(scope === 'five' ? QUICK_LIMITS : {}), ...limits },
    headers,
    resolve,
    rules,
    strict,
    environment: env,
  };
}

/** Opens what a site is deployed from, relative to `cwd`; `null`: it says nothing of it. Rejects with a `SourceError`. */
export async function openSiteSource({ checking }: MonitoredSite, cwd: string): Promise<Source | null> {
  if (checking.source === null) return null;
  const { openSource } = await import('../source/open.ts');
  return openSource(checking.source, cwd);
}

type RunFlags = Pick<CheckFlags, 'full' | 'only' | 'source' | 'wait'>;

/**
 * Loads the settings of a run: those of the configuration, or with `--site` of one of its sites. `address`: what `option`
 * was given, which names another address. Rejects with a `ConfigError` or a `UsageError`.
 */
export async function loadRunSettings(
  { site, ...flags }: RunFlags & ProjectFlags & Pick<CheckFlags, 'site'>,
  env: NodeJS.ProcessEnv,
  option: string,
  address: string | undefined,
): Promise<ProjectSettings> {
  const settings = await loadSettings(flags, env, process.cwd(), { needed: site === undefined ? [] : ['sites'] });
  if (site === undefined) return settings;
  // What is sent to a site, its headers for one, is not for another address.
  if (address !== undefined) throw new UsageError((messages) => messages.exclusive('--site', option));
  return settingsOfSite(settings, site, flags);
}

/**
 * The settings of `docvitals check` for one of the file's sites: a run without further options is what the monitor's
 * frequent runs are, with `--full` what its full ones are. Throws a `UsageError` that suggests the nearest site.
 */
export function settingsOfSite(settings: ProjectSettings, id: string, flags: RunFlags = {}): ProjectSettings {
  const { config } = settings;
  const { url, checking } = siteOf(config.monitor.sites, id, '--site');
  const { full = false, only, source, wait } = flags;
  const quick = !full && only === undefined && source === undefined && wait === undefined;
  return {
    ...settings,
    config: {
      ...config,
      ...checking,
      url,
      full: false,
      source: full ? checking.source : null,
      limits: { ...(quick ? QUICK_LIMITS : {}), ...checking.limits },
    },
    checks: allChecks(checking),
  };
}

/** The site of an id; `asked` names where the id was given. Throws a `UsageError` that suggests the nearest one. */
export function siteOf(sites: readonly MonitoredSite[], id: string, asked: string): MonitoredSite {
  return known(id, sites, (messages, ...facts) => messages.unknownSite(asked, ...facts));
}

/** The checks of the whole site are no part of the quick run, not even those that `only` names. */
function selected(checking: Checking, scope: Scope): readonly Check[] {
  const isPart = ({ full, vital }: Check): boolean =>
    !full || scope === 'full' || (scope === 'browser' && vital !== undefined);
  const all = allChecks(checking).filter(isPart);
  const isSelectable = (id: string): boolean => all.some((check) => check.id === id);
  const roles = scope === 'browser' ? (['browser'] as const) : [];
  return selectChecks(all, {
    full: scope !== 'five',
    enabled: roles,
    demanded: roles,
    only: checking.only.filter(isSelectable),
    skip: checking.skip.filter(isSelectable),
  });
}

function addressOf(url: string): Address {
  const address = parseBaseUrl(url);
  // The configuration was refused otherwise. The address may hold a password: it is not printed.
  if (!address.ok) throw new Error(`no base URL: ${address.problem}`);
  return address;
}
