/**
 * Which settings of the configuration apply to an address. The settings of a site, its headers above all, are for the
 * origin of that site: what is secret must not be sent to another server because a command names another address.
 */
import { parseBaseUrl } from '../core/base-url.ts';
import { DEFAULT_CONFIG, type Config } from '../config/config.ts';
import type { OriginPattern } from '../config/formats.ts';
import type { Messages } from '../locales/messages.ts';
import type { MonitoredSite } from '../monitor/settings.ts';
import { printable } from '../text/printable.ts';
import { reporting } from './arguments.ts';
import { allChecks, loadSettings, type ProjectFlags, type ProjectSettings } from './settings.ts';
import { pickLanguage } from '../locales/language.ts';

/** The settings of a site, in the order in which those that do not apply are reported. */
const OF_A_SITE = [
  'headers',
  'rules',
  'skip',
  'only',
  'checks',
  'language',
  'full',
  'external',
  'strict',
  'host',
  'negotiation',
  'engine',
  'source',
  'versionFrom',
  'resolve',
  'limits',
] as const satisfies readonly (keyof Config)[];

/**
 * Whose settings apply to an address: the file's own, those of one of its sites, or none (`null`). A site owns its
 * origin, and what its `headersFor` names; where several have one origin, the one whose path is nearest.
 */
function ownerOf(address: URL, { url, headersFor, monitor }: Config): 'file' | MonitoredSite | null {
  const sites = monitor.sites.map((site) => ({ owner: site, url: site.url, headersFor: site.checking.headersFor }));
  const owners = [{ owner: 'file' as const, url, headersFor }, ...sites].map((one) => {
    const parsed = parseBaseUrl(one.url ?? '');
    return { ...one, base: parsed.ok ? parsed.base : null };
  });
  const nearness = (base: URL | null): number =>
    base !== null && address.pathname.startsWith(base.pathname) ? base.pathname.length : 0;
  const [nearest] = owners
    .filter(({ base }) => base?.origin === address.origin)
    .toSorted((a, b) => nearness(b.base) - nearness(a.base));
  const found = nearest ?? owners.find((one) => one.headersFor.some((pattern) => isMeant(address, pattern)));
  return found?.owner ?? null;
}

function isMeant({ protocol, hostname, port }: URL, pattern: OriginPattern): boolean {
  if (protocol !== 'https:' || port !== pattern.port) return false;
  if (!pattern.isWildcard) return hostname === pattern.host;
  const dot = hostname.indexOf('.');
  return dot > 0 && hostname.slice(dot + 1) === pattern.host;
}

/** How the configuration was loaded, to load it again for one of its sites. */
export interface Loaded {
  readonly flags: ProjectFlags;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * The settings for the address that a command was given; `undefined`: for that of the configuration. Rejects with a
 * `ConfigError` where the address is that of a site whose variables are unset.
 */
export async function settingsOfAddress(
  settings: ProjectSettings,
  given: string | undefined,
  { flags, env }: Loaded,
): Promise<ProjectSettings> {
  const address = parseBaseUrl(given ?? '');
  // What is wrong with it is reported where it is used.
  if (given === undefined || !address.ok) return settings;
  const { config } = settings;
  const owner = ownerOf(address.base, config);
  if (owner === 'file') return settings;
  if (owner !== null) {
    const index = config.monitor.sites.indexOf(owner);
    const { config: whole, ...rest } = await loadSettings(flags, env, { needed: [`sites[${index}]`] });
    const { url, checking } = whole.monitor.sites[index] ?? owner;
    return { ...rest, config: { ...whole, ...checking, url }, checks: allChecks(checking) };
  }
  return withoutSettings(settings, address.base, { flags, env });
}

/** The line that reports what does not apply to the address of a run; `null`: all of the configuration does. */
export function unappliedLine({ file, unapplied }: ProjectSettings, messages: Messages): string | null {
  if (unapplied === null) return null;
  const { address, keys, named } = unapplied;
  // `headersFor` names addresses with https only.
  return messages.notApplied(printable(file ?? ''), address, keys, named, new URL(address).protocol.slice(0, -1));
}

/** Without the settings of a site; of a configuration that names no address, without its headers. */
function withoutSettings(settings: ProjectSettings, { origin }: URL, { flags, env }: Loaded): ProjectSettings {
  const { config } = settings;
  const named = config.monitor.sites.length === 0 ? 'none' : 'other';
  const lost = named === 'none' ? (['headers'] as const) : OF_A_SITE;
  const keys = lost.filter((key) => isSet(config[key]));
  if (keys.length === 0) return settings;
  const left = { ...config, ...Object.fromEntries(lost.map((key) => [key, DEFAULT_CONFIG[key]])) };
  const language = pickLanguage({ flag: flags.lang, config: left.language ?? undefined, env });
  reporting.language = language;
  return { ...settings, config: left, language, checks: allChecks(left), unapplied: { address: origin, keys, named } };
}

function isSet(value: Config[keyof Config]): boolean {
  if (value instanceof Map) return value.size > 0;
  return typeof value === 'object' && value !== null
    ? Object.keys(value).length > 0
    : value !== null && value !== false;
}
