/** Starts a browser, or connects to one, and renders pages with it. */
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserType } from 'playwright-core';
import { hostOf } from '../http/address-scope.ts';
import type { Evidence } from '../core/answer.ts';
import { guardOf } from '../http/address.ts';
import { systemResolver } from '../http/connect.ts';
import { Ended, Failure } from '../http/failure.ts';
import type { HttpOptions } from '../http/get.ts';
import type { Reason } from '../http/reasons.ts';
import { untilAborted } from '../http/timing.ts';
import { openGate } from './gate.ts';
import { viewPage } from './view.ts';
import { keepsToGate, PROXIED_WEBRTC } from './webrtc.ts';

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

export type Renderer = Awaited<ReturnType<typeof openRenderer>>;

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
  /** Where axe-core explains the rule. */
  readonly helpUrl: string;
  readonly element: string;
  readonly count: number;
}

export interface RenderedPage extends Measures {
  /** As after the base URL: empty for the home page, `#/guide/setup`. */
  readonly route: string;
  readonly isOk: boolean;
  readonly screenshot: Uint8Array | null;
}

/** Most that one page may transfer, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024;
/** A page with its scripts takes longer than one file. In milliseconds. */
const SHORTEST_RENDERING_MS = 10_000;
const START_MS = 30_000;
/** So long it may take to end by itself. In milliseconds. */
const CLOSE_MS = 500;
/** So much memory may the scripts of one page take, in MiB. */
const SCRIPT_MIB = 512;

const ARGUMENTS = [
  // Containers have little shared memory.
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  ...PROXIED_WEBRTC,
  `--js-flags=--max-old-space-size=${SCRIPT_MIB}`,
];

/** Rejects with a `BrowserFailed`. */
export async function openRenderer({ target, isSandboxed }: BrowserOptions, http: HttpOptions) {
  const { family, resolver = systemResolver } = http;
  const timeoutMs = Math.max(http.timeoutMs, SHORTEST_RENDERING_MS);
  const { guard = guardOf(http) } = http;
  // A browser elsewhere resolves names itself: what they resolve to here is checked.
  const resolvedGuard = async (url: URL): Promise<void> => {
    const resolved = await resolver(hostOf(url), family);
    const addresses = resolved.map(({ address }) => address);
    if (guard.admit(url, addresses).length < addresses.length) throw new Failure('blocked-address', { host: url.host });
  };
  const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  // Playwright is large: it is loaded for a run with a browser, and by nothing else.
  const [{ chromium }, axe] = await Promise.all([import('playwright-core'), readFile(axeFile, 'utf8')]);
  const starting =
    'file' in target
      ? started(chromium, target.file, isSandboxed)
      : connected(chromium, target.address).then((connection) => ({ browser: connection, kill: async () => {} }));
  const { browser, kill } = await starting.catch((error: unknown) => {
    throw new BrowserFailed(reasonOf(error));
  });
  // While the first pages are being prepared.
  const isConfined = 'file' in target ? keepsToGate(browser, target.file) : Promise.resolve(true);
  isConfined.catch(() => {});
  // What is still being viewed at the deadline is given up.
  const { signal } = http;
  signal.addEventListener('abort', () => {
    if (signal.reason instanceof Ended && signal.reason.by === 'deadline') void kill().catch(() => {});
  });
  let endedBy: string | null = null;
  const endFlooded = (): void => {
    endedBy = 'a page sent more messages, navigations or requests than are read';
    void kill().catch(() => {});
  };
  return {
    /** Opens a page in a context of its own. Rejects with a `BrowserFailed`, or with an `Ended` when the run is over. */
    async view(request: ViewRequest): Promise<View> {
      const gate = 'file' in target ? await openGate({ ...http, guard, mostBytes: MOST_BYTES }) : null;
      try {
        const view = await viewPage(request, {
          ...http,
          browser,
          endFlooded,
          isConfined,
          gate,
          axe,
          timeoutMs,
          guard: resolvedGuard,
        });
        if (await isConfined) return view;
        throw new Error('its WebRTC sends packets to addresses that pages may not reach');
      } catch (error) {
        throw error instanceof Ended ? error : new BrowserFailed(endedBy ?? reasonOf(error));
      } finally {
        gate?.close();
      }
    },
    close: async (): Promise<void> => {
      await untilAborted(browser.close(), AbortSignal.timeout(CLOSE_MS)).catch(() => {});
      await untilAborted(kill(), AbortSignal.timeout(CLOSE_MS)).catch(() => {});
    },
  };
}

/** Starts a browser. `kill` ends its processes at once, however busy they are. */
async function started(chromium: BrowserType, file: string, isSandboxed: boolean) {
  // Playwright does not hand out the process: it is recognised by an argument that Chromium ignores.
  const mark = `--docvitals=${randomUUID()}`;
  const processes: ChildProcess[] = [];
  const note = (message: unknown): void => void processes.push((message as { process: ChildProcess }).process);
  subscribe('child_process', note);
  try {
    const browser = await chromium.launch({
      executablePath: file,
      chromiumSandbox: isSandboxed,
      args: [...ARGUMENTS, mark],
      timeout: START_MS,
      // A signal ends the run, which closes the browser; SIGHUP only has the monitor read its configuration again.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    const leader = processes.find(({ spawnargs }) => spawnargs.includes(mark));
    return { browser, kill: () => killGroup(leader) };
  } finally {
    unsubscribe('child_process', note);
  }
}

const PROFILE = '--user-data-dir=';

/** Except on Windows, Playwright starts a browser as the leader of a group of processes. Its profile is removed. */
async function killGroup(leader: ChildProcess | undefined): Promise<void> {
  if (leader?.pid === undefined) return;
  if (leader.exitCode === null && leader.signalCode === null) {
    if (process.platform === 'win32') leader.kill();
    else process.kill(-leader.pid, 'SIGKILL');
  }
  const profile = leader.spawnargs.find((argument) => argument.startsWith(PROFILE))?.slice(PROFILE.length);
  if (profile !== undefined) await rm(profile, { recursive: true, force: true, maxRetries: 3 });
}

/** An address speaks CDP, or the protocol of a Playwright server. */
async function connected(chromium: BrowserType, address: string): Promise<Browser> {
  try {
    return await chromium.connectOverCDP(address, { timeout: START_MS });
  } catch (error) {
    if (!address.startsWith('ws')) throw error;
    return chromium.connect(address, { timeout: START_MS }).catch(() => {
      throw error;
    });
  }
}

/** The line of Playwright's message that says why: its first, or what the browser itself printed. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (/no usable sandbox|SUID sandbox helper|without --no-sandbox/i.test(message)) return 'no usable sandbox';
  const lines = message.split('\n').map((line) => line.trim());
  const printed = lines.find((line) => /^\[pid=\d+\]\[err\]|error while loading/.test(line));
  // The address of a browser may hold a token.
  return (printed ?? lines[0] ?? '')
    .replaceAll(/\b(?:wss?|https?):\/\/\S+/gi, '<address>')
    .replace(/^[\w.]+: /, '')
    .replace(/^\[pid=\d+\]\[err\] /, '')
    .slice(0, 300);
}
