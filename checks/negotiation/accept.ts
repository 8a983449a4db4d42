import { ACCEPT as OF_BROWSERS } from '../../src/site/accept.ts';

/** The values of `Accept` that page paths are requested with. */
export const ACCEPT = {
  /** An agent that takes nothing but Markdown. */
  agent: 'text/markdown',
  /** What Firefox and Safari send when they navigate. */
  browser: OF_BROWSERS.navigate,
  /** What `fetch` and curl send. */
  any: OF_BROWSERS.fetch,
  /** As good as no header: the transport always sends one. */
  none: '',
  /** RFC 9110, section 12.5.1: Markdown is the less welcome one. */
  low: 'text/html, text/markdown;q=0.5',
  /** RFC 9110, section 12.4.2: a weight of 0 means "not acceptable". */
  zero: 'text/html, text/markdown;q=0',
  /** Markdown is the more welcome one. */
  weighted: 'text/markdown;q=0.9, text/html;q=0.1',
  /** As coding agents send it. */
  list: 'text/markdown, text/html, */*',
} as const;
