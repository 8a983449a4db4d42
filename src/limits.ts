/** What bounds a run. Durations in milliseconds, sizes in bytes. */
export interface Limits {
  /** One attempt of one request, redirects included. */
  readonly timeoutMs: number;
  /** The whole run. */
  readonly deadlineMs: number;
  /** How often a request is tried again. */
  readonly retries: number;
  /** One decoded body. */
  readonly bodyBytes: number;
  /** Parsing one body. */
  readonly parseMs: number;
}

/** The limits where nothing else is said. */
export const DEFAULT_LIMITS: Limits = {
  timeoutMs: 10_000,
  deadlineMs: 60_000,
  retries: 2,
  bodyBytes: 10 * 1024 * 1024,
  parseMs: 5_000,
};
