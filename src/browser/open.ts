/** Starts a browser, or connects to one, and renders pages with it. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserType } from 'playwright-core';
import { hostOf } from '../address-scope.ts';
import { systemResolver } from '../http/connect.ts';
import { Ended } from '../http/failure.ts';
import { untilAborted } from '../http/timing.ts';
import { openGate, type GateOptions } from './gate.ts';
import { BrowserFailed, type BrowserOptions, type View, type ViewRequest } from './types.ts';
import { viewPage, type Viewing } from './view.ts';

export interface OpenOptions
  extends
    Pick<BrowserOptions, 'target' | 'isSandboxed'>,
    Pick<Viewing, 'base' | 'headers' | 'credentials' | 'timeoutMs' | 'signal'>,
    Omit<GateOptions, 'mostBytes'> {}

export type OpenRenderer = Awaited<ReturnType<typeof openRenderer>>;

/** Most that one page may transfer, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024;
const START_MS = 30_000;
const CLOSE_MS = 10_000;
/** So much memory may the scripts of one page take, in MiB. */
const SCRIPT_MIB = 512;

const ARGUMENTS = [
  // Containers have little shared memory.
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  `--js-flags=--max-old-space-size=${SCRIPT_MIB}`,
];

/** Rejects with a `BrowserFailed`. */
export async function openRenderer(options: OpenOptions) {
  const { target, isSandboxed } = options;
  const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  // Playwright is large: it is loaded for a run with a browser, and by nothing else.
  const [{ chromium }, axe] = await Promise.all([import('playwright-core'), readFile(axeFile, 'utf8')]);
  let browser: Browser;
  try {
    browser = await ('file' in target
      ? chromium.launch({
          executablePath: target.file,
          chromiumSandbox: isSandboxed,
          args: ARGUMENTS,
          timeout: START_MS,
          // A signal ends the run, which closes the browser; SIGHUP only has the monitor read its configuration again.
          handleSIGINT: false,
          handleSIGTERM: false,
          handleSIGHUP: false,
        })
      : connected(chromium, target.address));
  } catch (error) {
    throw new BrowserFailed(reasonOf(error));
  }
  return {
    async view(request: ViewRequest): Promise<View> {
      const gate = 'file' in target ? await openGate({ ...options, mostBytes: MOST_BYTES }) : null;
      try {
        return await viewPage(request, { ...options, browser, gate, axe, guard: resolvedGuard(options) });
      } catch (error) {
        throw error instanceof Ended ? error : new BrowserFailed(reasonOf(error));
      } finally {
        gate?.close();
      }
    },
    close: (): Promise<void> => untilAborted(browser.close(), AbortSignal.timeout(CLOSE_MS)).catch(() => {}),
  };
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

/** A browser elsewhere resolves names itself: what they resolve to here is checked. */
function resolvedGuard({ guard, family, resolver = systemResolver }: OpenOptions): (url: URL) => Promise<void> {
  return async (url) => {
    const resolved = await resolver(hostOf(url), family);
    const addresses = resolved.map(({ address }) => address);
    guard(url, addresses);
  };
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
