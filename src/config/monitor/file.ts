/** What the configuration file says of the monitor, as people write it. The schema says the same. */
import type { CheckFile, LimitsFile } from '../file.ts';

type Severity = 'off' | 'warning' | 'error';

/** When something happens: every so often, or by a cron expression. */
export interface ScheduleFile {
  readonly every?: string;
  /** Five fields (minute, hour, day, month, day of the week), or six with the second first. */
  readonly cron?: string;
  /** IANA name: `Europe/Paris`. */
  readonly timeZone?: string;
  readonly jitter?: string;
}

/** How sites are watched: said once for all of them under `monitor`, and for each of them. */
export interface WatchingFile extends ScheduleFile {
  /** When the checks of the whole site are run; `false`: never. */
  readonly full?: ScheduleFile | false;
  readonly objective?: string;
  readonly confirm?: { readonly after?: string; readonly times?: number };
  readonly recover?: { readonly times?: number };
}

/** How a site is checked, where that differs from what the file says for all. */
export interface CheckingFile {
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly external?: boolean;
  readonly host?: 'server' | 'platform' | 'worker';
  readonly strict?: boolean;
  readonly limits?: LimitsFile;
  readonly headers?: Readonly<Record<string, string>>;
  readonly rules?: Readonly<Record<string, Severity>>;
}

/** A site to watch. */
export interface SiteFile extends WatchingFile, CheckingFile {
  /** kebab-case noun, unique. */
  readonly id: string;
  readonly url: string;
  readonly title?: string;
  readonly tags?: readonly string[];
  /** Ids of the routes that are told; all where absent. */
  readonly alerts?: readonly string[];
  readonly maintenance?: readonly MaintenanceFile[];
  readonly source?: string;
  readonly versionFrom?: string;
  readonly resolve?: readonly string[];
  readonly checks?: readonly CheckFile[];
}

/** Either `from` and `to`, or `cron` and `for`. */
export interface MaintenanceFile {
  /** ISO 8601 with its zone: `2026-12-01T22:00:00Z`. */
  readonly from?: string;
  readonly to?: string;
  readonly cron?: string;
  readonly timeZone?: string;
  readonly for?: string;
  readonly reason?: string;
}

/** Whom to tell; exactly one of the channels. */
export interface RouteFile {
  readonly id: string;
  readonly webhook?: WebhookFile;
  readonly email?: { readonly server: string; readonly from: string; readonly to: string | readonly string[] };
  readonly alertmanager?: { readonly url: string; readonly headers?: Readonly<Record<string, string>> };
  readonly githubIssue?: GithubIssueFile;
  readonly command?: { readonly run: readonly string[]; readonly timeout?: string };
  readonly language?: 'en' | 'ro' | 'fr';
  /** Escalation: only incidents that are open for so long. */
  readonly after?: string;
  readonly reminder?: string;
  readonly verdicts?: readonly ('down' | 'degraded' | 'stale')[];
  readonly tags?: readonly string[];
}

interface WebhookFile {
  readonly url: string;
  readonly template?: 'json' | 'slack' | 'discord' | 'teams' | 'ntfy';
  readonly secret?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface GithubIssueFile {
  /** `owner/name` */
  readonly repository: string;
  readonly token: string;
  readonly label?: string;
  readonly api?: string;
}

/** The monitor itself, and what holds for all sites. */
export interface MonitorFile extends WatchingFile {
  readonly database?: string;
  /** `host:port` */
  readonly listen?: string;
  readonly heartbeat?: { readonly url: string; readonly every?: string };
  readonly control?: readonly string[];
  readonly retention?: {
    readonly rounds?: string;
    readonly minutes?: string;
    readonly hours?: string;
    readonly days?: string;
  };
  readonly probe?: {
    readonly targets?: readonly string[];
    readonly modules?: Readonly<Record<string, ModuleFile>>;
  };
  readonly page?: {
    readonly title?: string;
    readonly url?: string;
    readonly language?: 'en' | 'ro' | 'fr';
    readonly details?: boolean;
  };
}

/** What a probe runs. */
export interface ModuleFile extends CheckingFile {
  readonly full?: boolean;
}
