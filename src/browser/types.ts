/** Pages of a site as a real browser shows them. Types only. */
import type { Evidence } from '../answer.ts';
import type { Reason } from '../http/reasons.ts';

/** How the user wants pages to be rendered. */
export interface BrowserOptions {
  /** The browser's own file, or the address of one that is running: a Playwright server, or CDP over WebSocket or HTTP. */
  readonly target: { readonly file: string } | { readonly address: string };
  /** Most pages besides the home page; `Infinity`: all that the navigations name. */
  readonly routes: number;
  /** A first heading that is shown later is a warning. In milliseconds. */
  readonly slowMs: number;
  /** Whether the browser's own sandbox is used. */
  readonly isSandboxed: boolean;
}

export interface RequestedBrowser extends Pick<BrowserOptions, 'routes' | 'slowMs'> {
  /** Starts the browser at the first call. Rejects with a `BrowserFailed` where it cannot be started. */
  readonly open: () => Promise<Renderer>;
}

/** It could not be started, or it ended. Its message is one line. */
export class BrowserFailed extends Error {
  override readonly name = 'BrowserFailed';
}

export interface Renderer {
  /** Opens a page in a context of its own. Rejects with a `BrowserFailed`, or with an `Ended` when the run is over. */
  view(request: ViewRequest): Promise<View>;
}

export interface ViewRequest {
  readonly url: URL;
  /** Headings of the page's Markdown file, one of which is awaited; none: the first heading that is shown. */
  readonly headings: readonly string[];
  /** Addresses that the links of a menu lead to. */
  readonly links: readonly string[];
  /** Whether axe-core runs, which takes as long as all the rest. */
  readonly withBarriers: boolean;
}

/** A page as it was shown. Texts are cut, lists bounded. */
export interface View {
  /** Why nothing was shown; `null`: the page was opened. */
  readonly problem: { readonly error: string; readonly reason: Reason | null } | null;
  readonly measures: Measures;
  /** An awaited heading is visible. */
  readonly hasHeading: boolean;
  /** Headings and the beginning of the text that are visible. */
  readonly headings: readonly string[];
  readonly text: string;
  /** Nothing is visible but the text that the bundle has without scripts, if any. */
  readonly isBlank: boolean;
  /** The page's scripts kept it busy for so long that it was given up; `null`: it responded. In milliseconds. */
  readonly unresponsiveMs: number | null;
  /** How many links of the menu are in the document. */
  readonly links: number;
  readonly errors: readonly PageError[];
  readonly failed: readonly FailedRequest[];
  /** Responses of the site's own origin, by URL without query and fragment. */
  readonly received: ReadonlyMap<string, { readonly status: number; readonly mediaType: string }>;
  readonly mixed: readonly string[];
  readonly blocked: readonly { readonly directive: string; readonly url: string }[];
  /** What is wider than a phone: the width of the content in CSS pixels, and the element that sticks out most. */
  readonly overflow: { readonly width: number; readonly element: string } | null;
  readonly barriers: readonly Barrier[];
  /** JPEG. */
  readonly screenshot: Uint8Array | null;
}

/** Times from the start of the navigation. */
export interface Measures {
  /** First heading of the page. In milliseconds. */
  readonly headingMs: number | null;
  /** Largest contentful paint (https://www.w3.org/TR/largest-contentful-paint/). In milliseconds. */
  readonly largestPaintMs: number | null;
  /** Cumulative layout shift (https://wicg.github.io/layout-instability/). Without a unit. */
  readonly layoutShift: number | null;
  /** What the network transferred, TLS included; `null` with a browser elsewhere. */
  readonly transferredBytes: number | null;
  readonly requests: number;
}

export interface PageError {
  readonly kind: 'console' | 'exception';
  readonly message: string;
  /** The script; empty where it is not known. */
  readonly url: string;
}

export interface FailedRequest {
  readonly url: string;
  readonly isOwn: boolean;
  /** As Playwright names it: `script`, `stylesheet`, `image`, … */
  readonly kind: string;
  readonly evidence: Evidence;
}

/** A violation that axe-core rates serious or critical. */
export interface Barrier {
  readonly rule: string;
  readonly element: string;
  readonly count: number;
}

export interface RenderedPage extends Measures {
  /** As after the base URL: empty for the home page, `#/guide/setup`. */
  readonly route: string;
  readonly isOk: boolean;
  readonly screenshot: Uint8Array | null;
}
