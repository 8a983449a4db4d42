/** What bounds a run. Durations in milliseconds, sizes in bytes. */
export interface Limits {
  /** One attempt of one request, redirects included. */
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  /** How often a request is tried again. */
  readonly retries: number;
  readonly bodyBytes: number;
  readonly parseMs: number;
  /** Requests a second to one host, of those that a crawl sends; 0: as fast as the host answers. */
  readonly rate: number;
  /** Pages that a crawl requests. */
  readonly pages: number;
  /** Links between navigation, home page or agent index and a page. */
  readonly depth: number;
}

/** The limits where nothing else is said. */
export const DEFAULT_LIMITS: Limits = {
  timeoutMs: 10_000,
  deadlineMs: 60_000,
  retries: 2,
  bodyBytes: 10 * 1024 * 1024,
  parseMs: 5_000,
  rate: 0,
  pages: 10_000,
  depth: 50,
};

/** The deadline of a run over the whole site, where nothing else is said. */
export const FULL_DEADLINE_MS = 300_000;

/** What of the deadline a crawl may take: the rest is for what is evaluated after it. */
export const CRAWL_SHARE = 0.8;
