/**
 * What the user asks of a run beyond which checks it has. Types only.
 */
import type { Source } from '../source/types.ts';

/** What the user asks of a run beyond which checks it has. */
export interface RunRequest {
  /** The whole site was requested: the core checks look further, too. */
  readonly full: boolean;
  /** Links to other sites are requested as well. */
  readonly external: boolean;
  /** The kind of host, where the user says it. */
  readonly host: HostKind | null;
  /** What the site is deployed from, where the user says it. */
  readonly source: Source | null;
  /** Compare only so many files of the source, those that changed last first, and crawl nothing; `null`: all of them. */
  readonly samples: number | null;
  /** Files of the source that were not those of the source when they were last asked for: the first to sample. */
  readonly suspects: readonly string[];
  /** Which version is to be live, where the user says it. */
  readonly expected: ExpectedVersion | null;
  /** The run sends credentials, so that others perhaps do not get what it gets. */
  readonly authorized: boolean;
  /** Most pages that a crawl asks for. */
  readonly pages: number;
  /** Most links between navigation, home page or agent index and a page. */
  readonly depth: number;
  /** Longest time for a crawl, in milliseconds; what is left is reported. */
  readonly crawlMs: number;
}

/** Which version of a site is to be live. At least one of `version` and `since` is given. */
export interface ExpectedVersion {
  /** The name of the version, most often a commit; `null`: not told. */
  readonly version: string | null;
  /** Other names that are as good, e.g. the commit that a pull request would be merged by. Default: none. */
  readonly alternatives?: readonly string[];
  /** Where the site names its version; `null`: looked for in `version.json`, the bundle's `<meta>` and its headers. */
  readonly from: VersionLocation | null;
  /** The site need not tell its version: it is compared where it does. */
  readonly optional: boolean;
  /** What the bundle had before the deploy; `null`: not told. */
  readonly since: Since | null;
}

/** Where a site names its version. */
export interface VersionLocation {
  /** Relative to the base, as `build/info.json`. */
  readonly path: string;
  /** A JSON Pointer (RFC 6901), a regular expression whose first group (or whole match) counts, or `null`: the whole text. */
  readonly pick: { readonly pointer: string } | { readonly pattern: RegExp } | null;
}

/** What a bundle had before a deploy: it is another one when its `ETag` differs, or when it was modified later. */
export type Since = { readonly etag: string } | { readonly modifiedMs: number };

/** The kinds of host of a static documentation site: a plain web server, a hosting platform, an edge worker. */
export type HostKind = 'server' | 'platform' | 'worker';
