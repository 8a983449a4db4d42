/** The configuration file as people write it, for `docvitals.config.ts`. The schema beside this file says the same. */
import type { MonitorFile, RouteFile, SiteFile } from './monitor/file.ts';

type Text = string | readonly string[];

/** What `docvitals.config.ts` exports as its default. */
export interface ConfigFile {
  readonly $schema?: string;
  /** Base URL of the site; `${NAME}` stands for an environment variable. */
  readonly url?: string;
  readonly language?: 'en' | 'ro' | 'fr';
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  /** All checks, not only the five. */
  readonly full?: boolean;
  /** Links to other sites are asked for as well. */
  readonly external?: boolean;
  /** What kind of host serves the site. Found out unless told. */
  readonly host?: 'server' | 'platform' | 'worker';
  /** What the site is deployed from: a folder, a Git ref or a hash manifest. */
  readonly source?: string;
  /** Where the site tells its version: `version.json#/commit`, `about.txt#rev: (\\w+)`. Looked for unless told. */
  readonly versionFrom?: string;
  /** Warnings fail the run too. */
  readonly strict?: boolean;
  readonly limits?: LimitsFile;
  /** For the site's own origin only; never printed. `${NAME}` stands for an environment variable. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `{ 'navigation/no-links': 'off' }` */
  readonly rules?: Readonly<Record<string, 'off' | 'warning' | 'error'>>;
  /** `host:port:address`, as curl's `--resolve`. */
  readonly resolve?: readonly string[];
  readonly checks?: readonly CheckFile[];
  /** The sites that `docvitals monitor` watches; the one of `url` where absent. */
  readonly sites?: readonly SiteFile[];
  /** Whom the monitor alerts. */
  readonly alerts?: readonly RouteFile[];
  /** The monitor itself, and what holds for all its sites. */
  readonly monitor?: MonitorFile;
}

/** Durations carry a unit: `500ms`, `1.5s`, `2m`, `1h`. */
export interface LimitsFile {
  readonly timeout?: string;
  readonly deadline?: string;
  readonly retries?: number;
  /** `10MiB`, or a number of bytes. */
  readonly body?: string | number;
  readonly parse?: string;
  /** Requests a second, of those that a crawl sends. */
  readonly rate?: number;
  readonly pages?: number;
  readonly depth?: number;
}

/** A check of the user's own. */
export interface CheckFile {
  readonly id: string;
  readonly title: string;
  /** Relative to the base URL. */
  readonly path: string;
  readonly accept?: string;
  readonly expect?: ExpectFile;
  readonly fix?: string | { readonly en: string; readonly ro?: string; readonly fr?: string };
}

/** What the answer must be; status 200 unless told. */
export interface ExpectFile {
  readonly status?: number | readonly number[];
  readonly mediaType?: Text;
  readonly json?: true | { readonly schema: object | boolean };
  readonly markdown?: true;
  readonly contains?: Text;
  readonly notContains?: Text;
  /** The exact value, or a regular expression between slashes. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxDuration?: string;
}
