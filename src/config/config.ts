import type { MonitorSettings } from '../monitor/settings.ts';
import type { normalise } from './normalise.ts';

/** Where the schema of the configuration is published, for editors. */
export const SCHEMA_URL = 'https://cdn.jsdelivr.net/npm/docvitals@0/dist/schema/config.json';

/**
 * The parts of a file that only the monitor uses. A command that checks one site does not need their secrets: the
 * variables of a part must be set only where it is used. `heartbeat` is apart from the rest of `monitor`, which names the
 * database.
 */
export const MONITOR_PARTS = ['sites', 'alerts', 'monitor', 'heartbeat'] as const;

export type MonitorPart = (typeof MONITOR_PARTS)[number];

/** The settings of the file's own site, and how pages are rendered. */
export type FileConfig = Readonly<ReturnType<typeof normalise>>;

export type BrowserSettings = Readonly<FileConfig['browser']>;

/** A configuration with its defaults, ready for use. Options of the command line override it. */
export interface Config extends FileConfig {
  /** The settings of `docvitals monitor`; without `sites` in the file it watches the one of `url`. */
  readonly monitor: MonitorSettings;
}
