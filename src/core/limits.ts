/** What bounds a run. */
export type Limits = Readonly<typeof DEFAULT_LIMITS>;

/** The limits of a run that sets none. Durations in milliseconds, sizes in bytes. */
export const DEFAULT_LIMITS = {
  /** One attempt of one request, redirects included. */
  timeoutMs: 10_000,
  deadlineMs: 20_000,
  retries: 2,
  bodyBytes: 10 * 1024 * 1024,
  parseMs: 5_000,
  /** Requests per second of a crawl to one host; 0: unlimited. */
  rate: 0,
  /** Pages that a crawl requests. */
  maxPages: 10_000,
  /** Links between navigation, home page or agent index and a page. */
  maxDepth: 50,
};

/** The deadline of a full check. */
export const FULL_DEADLINE_MS = 300_000;

/** A crawl's share of the deadline: the rest is for evaluating. */
export const CRAWL_SHARE = 0.8;
