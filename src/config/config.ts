import type { EngineId } from '../engines/engine.ts';
import type { OwnDefinition } from '../../checks/own/definition.ts';
import type { HostKind, VersionLocation } from '../check.ts';
import type { Limits } from '../limits.ts';
import type { Language } from '../texts.ts';
import type { MonitorSettings } from '../monitor/settings.ts';
import type { ResolveRule } from '../http/connect.ts';

/** Where the schema of the configuration is published, for editors. */
export const SCHEMA_URL = 'https://cdn.jsdelivr.net/npm/docvitals@0/dist/schema/config.json';

/**
 * The parts of a file that only the monitor uses. A command that checks one site does not need their secrets: the
 * variables of a part must be set only where it is used. `heartbeat` is apart from the rest of `monitor`, which names the
 * database.
 */
export const MONITOR_PARTS = ['sites', 'alerts', 'monitor', 'heartbeat'] as const;

export type MonitorPart = (typeof MONITOR_PARTS)[number];

/** How pages are rendered; `null`: not set. */
export interface BrowserSettings {
  readonly enabled: boolean;
  readonly path: string | null;
  /** Secret: it may hold a token. */
  readonly address: string | null;
  /** `Infinity`: all. */
  readonly routes: number | null;
  readonly slowMs: number | null;
  readonly sandbox: boolean;
}

/** A configuration with its defaults, ready for use. Options of the command line override it. */
export interface Config {
  /** Base URL with its variables expanded; may contain credentials, so it is never printed as it is. `null`: not set. */
  readonly url: string | null;
  /** `null`: not set; the environment decides. */
  readonly language: Language | null;
  /** Ids of the checks to run; empty: all. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly full: boolean;
  readonly external: boolean;
  /** `null`: detected. */
  readonly host: HostKind | null;
  readonly engine: EngineId | null;
  /** What the site is deployed from, as written; `null`: not set. */
  readonly source: string | null;
  /** Where the site publishes its version; `null`: not set; it is searched. */
  readonly versionFrom: VersionLocation | null;
  readonly browser: BrowserSettings;
  readonly strict: boolean;
  /** Only those that are set. */
  readonly limits: Partial<Limits>;
  /** Names as written; values are secret. Has no prototype. */
  readonly headers: Readonly<Record<string, string>>;
  /** `navigation/no-links` → `off`. */
  readonly rules: ReadonlyMap<string, 'off' | 'warning' | 'error'>;
  readonly resolve: readonly ResolveRule[];
  readonly checks: readonly OwnDefinition[];
  /** The settings of `docvitals monitor`; without `sites` in the file it watches the one of `url`. */
  readonly monitor: MonitorSettings;
}
