/** What a monitor is reported, for tests: the configuration's defaults, and what they say otherwise. */
import { DEFAULT_CONFIG } from '../../src/config/config.ts';
import { DEFAULT_MONITOR, DEFAULT_WATCHING } from '../../src/monitor/settings.ts';
import type { AlertRoute, MonitoredSite, MonitorSettings } from '../../src/monitor/settings.ts';

/** A site as the configuration's defaults make it; the whole site is not checked by default. */
export function siteAt(url: string, rest: Partial<MonitoredSite> = {}): MonitoredSite {
  const id = rest.id ?? 'docs';
  return {
    id,
    url,
    title: id,
    tags: [],
    ...DEFAULT_WATCHING,
    full: null,
    alerts: null,
    maintenance: [],
    checking: DEFAULT_CONFIG,
    ...rest,
  };
}

/** A route to a webhook. */
export function webhookTo(url: string, rest: Partial<AlertRoute> = {}): AlertRoute {
  return {
    id: 'ops',
    channel: { kind: 'webhook', url, template: 'json', secret: null, headers: {} },
    language: 'en',
    afterMs: 0,
    reminderMs: null,
    verdicts: [],
    findings: 'daily',
    tags: [],
    ...rest,
  };
}

/** Settings without a control check, since loopback says nothing about a network. */
export function settingsOf(sites: readonly MonitoredSite[], rest: Partial<MonitorSettings> = {}): MonitorSettings {
  return { ...DEFAULT_MONITOR, connectivity: [], ...rest, sites };
}
