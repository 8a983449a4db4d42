/** What bounds a run. Durations in milliseconds, sizes in bytes. */
export interface Limits {
  /** One attempt of one request, redirects included. */
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  readonly retries: number;
  readonly bodyBytes: number;
  readonly parseMs: number;
  /** Requests per second of a crawl to one host; 0: unlimited. */
  readonly rate: number;
  /** Pages that a crawl requests. */
  readonly pages: number;
  /** Links between navigation, home page or agent index and a page. */
  readonly depth: number;
}

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

/** The deadline of a full check. */
export const FULL_DEADLINE_MS = 300_000;

/** A crawl's share of the deadline: the rest is for evaluating. */
export const CRAWL_SHARE = 0.8;
