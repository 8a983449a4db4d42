/** What a monitor is told: which sites, when, whom to alert. Types only; `src/config` makes them from docvitals.yaml. */
import type { Config } from '../config/config.ts';
import type { Language } from '../texts.ts';

/** Everything that a monitor's configuration says. Durations and sizes of time are in milliseconds. */
export interface MonitorSettings {
  /** In the order of the file, ids unique. */
  readonly sites: readonly MonitoredSite[];
  readonly alerts: readonly AlertRoute[];
  /** File of the database; `null`: not set. */
  readonly database: string | null;
  /** Where the server listens; `null`: not set. */
  readonly listen: ListenAddress | null;
  /** Asked for after each run, so that somebody else notices when the monitor is silent; `null`: none. */
  readonly heartbeat: Heartbeat | null;
  /** `host:port`: tell, when everything fails at once, whether it is us; a name is resolved, too; `null`: docvitals' own; empty: none. */
  readonly control: readonly string[] | null;
  readonly retention: Retention;
  readonly probe: ProbeSettings;
  readonly page: PageSettings;
}

/** A site to watch. */
export interface MonitoredSite {
  /** kebab-case noun, unique: the key in the database, in URLs and in labels. */
  readonly id: string;
  /** With its variables expanded; may carry userinfo, so it is never printed as it is. */
  readonly url: string;
  /** What people call it; the id where absent. */
  readonly title: string;
  readonly tags: readonly string[];
  /** When the core checks, and the site's own checks, are run. */
  readonly schedule: Schedule;
  /** When the checks beyond them are run; `null`: never. */
  readonly full: Schedule | null;
  /** Within this an outage is to be over. */
  readonly objectiveMs: number;
  /** How a failure is confirmed before it opens an incident: `times` runs more, each `afterMs` after the one before. */
  readonly confirm: { readonly afterMs: number; readonly times: number };
  /** How many good runs in a row end an incident. */
  readonly recover: { readonly times: number };
  /** Ids of the routes that are told; `null`: all. */
  readonly alerts: readonly string[] | null;
  readonly maintenance: readonly MaintenanceWindow[];
  /** What `docvitals check` would be told. */
  readonly checking: Checking;
}

/** How a site is checked: the settings that `docvitals check` has as well, the file's own as defaults. */
export type Checking = Pick<
  Config,
  | 'only'
  | 'skip'
  | 'external'
  | 'host'
  | 'source'
  | 'versionFrom'
  | 'strict'
  | 'limits'
  | 'headers'
  | 'rules'
  | 'resolve'
  | 'checks'
>;

/** When something happens, again and again. `jitterMs`: moved by chance by up to so much, so that sites are not asked together. */
export type Schedule =
  | { readonly kind: 'every'; readonly everyMs: number; readonly jitterMs: number }
  | { readonly kind: 'cron'; readonly pattern: string; readonly timeZone: string | null; readonly jitterMs: number };

/** A time in which a site may be unwell: it is looked at, but opens no incident and alerts nobody. Times are ms since 1970. */
export type MaintenanceWindow =
  | { readonly kind: 'once'; readonly from: number; readonly to: number; readonly reason: string | null }
  | {
      readonly kind: 'recurring';
      /** When it begins. */
      readonly pattern: string;
      readonly timeZone: string | null;
      readonly forMs: number;
      readonly reason: string | null;
    };

export interface ListenAddress {
  /** An address or a name; an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
}

export interface Heartbeat {
  /** May hold a secret: never printed. */
  readonly url: string;
  /** At most this often. */
  readonly everyMs: number;
}

/** How long what is kept: the results of runs, then the roll-ups. */
export interface Retention {
  readonly rawMs: number;
  readonly minuteMs: number;
  readonly hourMs: number;
  readonly dayMs: number;
}

/** What `/probe` answers for. */
export interface ProbeSettings {
  /**
   * What may be probed: ids of sites, base URLs, hosts (`docs.example.com`, `*.example.com`, `localhost:8080`), and
   * networks that these may lead into (`10.0.0.0/8`); empty: nothing.
   */
  readonly targets: readonly string[];
  /** By name: which checks a probe runs, and how. `five` and `full` are there without being written. */
  readonly modules: ReadonlyMap<string, ProbeModule>;
}

export interface ProbeModule {
  readonly full: boolean;
  readonly checking: Checking;
}

/** How the status page looks. */
export interface PageSettings {
  readonly title: string | null;
  /** Where the page is published, for feeds and links; `null`: not known. */
  readonly url: string | null;
  /** The language of `/`; the others have paths of their own. */
  readonly language: Language;
  /** `false`: fixes and evidence are left out, because the page is public; absent: they are shown. */
  readonly details?: boolean;
}

/** Whom to tell, how and when. */
export interface AlertRoute {
  /** kebab-case noun, unique. */
  readonly id: string;
  readonly channel: Channel;
  /** The language of its texts. */
  readonly language: Language;
  /** Escalation: only incidents that have been open for so long; 0: at once. */
  readonly afterMs: number;
  /** How often an open incident is told again; `null`: never. */
  readonly reminderMs: number | null;
  /** Only incidents of these verdicts; empty: all. */
  readonly verdicts: readonly IncidentVerdict[];
  /** Only sites that have one of these tags; empty: all. */
  readonly tags: readonly string[];
}

/** What an incident can be about. */
export type IncidentVerdict = 'down' | 'degraded' | 'stale';

/** The forms that a webhook's body can have. */
export type WebhookTemplate = 'json' | 'slack' | 'discord' | 'teams' | 'ntfy';

/** How an alert is carried. URLs, headers and tokens are secret: never printed. */
export type Channel =
  | {
      readonly kind: 'webhook';
      readonly url: string;
      readonly template: WebhookTemplate;
      /** Key of the HMAC; `null`: not signed. */
      readonly secret: string | null;
      readonly headers: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'email';
      /** `smtp://user:password@host:587`, `smtps://…` */
      readonly server: string;
      readonly from: string;
      readonly to: readonly string[];
    }
  | {
      readonly kind: 'alertmanager';
      /** Base URL, without `/api/v2`. */
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'github-issue';
      /** `owner/name` */
      readonly repository: string;
      readonly token: string;
      readonly label: string;
      /** Base URL of the REST API. */
      readonly api: string;
    }
  | {
      readonly kind: 'command';
      /** The program and its arguments; no shell. */
      readonly run: readonly string[];
      readonly timeoutMs: number;
    };
