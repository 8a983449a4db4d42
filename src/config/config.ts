import type { OwnDefinition } from '../../checks/own/definition.ts';
import type { HostKind, VersionLocation } from '../check.ts';
import type { Limits } from '../limits.ts';
import type { MonitorSettings } from '../monitor/settings.ts';
import type { Language } from '../texts.ts';
import { DEFAULT_MONITOR } from './monitor/defaults.ts';
import type { ResolveEntry } from './resolve.ts';

/** A configuration with its defaults, ready for use. Flags of the command line stand above it. */
export interface Config {
  /** Base URL with its variables expanded; may carry userinfo, so it is never printed as it is. `null`: not set. */
  readonly url: string | null;
  /** `null`: not set, the environment decides. */
  readonly language: Language | null;
  /** Ids of the checks to run; empty: all. */
  readonly only: readonly string[];
  /** Ids of the checks to leave out. */
  readonly skip: readonly string[];
  /** All checks, not only the five. */
  readonly full: boolean;
  /** Links to other sites are asked for as well. */
  readonly external: boolean;
  /** `null`: found out. */
  readonly host: HostKind | null;
  /** What the site is deployed from, as written; `null`: not told. */
  readonly source: string | null;
  /** Where the site tells its version; `null`: not told, it is looked for. */
  readonly versionFrom: VersionLocation | null;
  readonly strict: boolean;
  /** Only those that are set. */
  readonly limits: Partial<Limits>;
  /** Names as written; values are secret. Has no prototype. */
  readonly headers: Readonly<Record<string, string>>;
  /** `navigation/no-links` → `off`. */
  readonly rules: ReadonlyMap<string, 'off' | 'warning' | 'error'>;
  readonly resolve: readonly ResolveEntry[];
  /** The checks of the user's own, in their order. */
  readonly checks: readonly OwnDefinition[];
  /** What `docvitals monitor` is told; without `sites` in the file the one of `url`. */
  readonly monitor: MonitorSettings;
}

/** The configuration where there is no file. */
export const DEFAULT_CONFIG: Config = {
  url: null,
  language: null,
  only: [],
  skip: [],
  full: false,
  external: false,
  host: null,
  source: null,
  versionFrom: null,
  strict: false,
  limits: {},
  headers: {},
  rules: new Map(),
  resolve: [],
  checks: [],
  monitor: DEFAULT_MONITOR,
};
