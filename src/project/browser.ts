/** Finds the browser of a run before anything is sent. */
import { createRequire } from 'node:module';
import type { BrowserSettings } from '../config/config.ts';
import { echoed, UsageError, type CheckFlags } from './arguments.ts';

type BrowserFlags = Pick<CheckFlags, 'browser' | 'browserPath' | 'routes' | 'screenshots'>;

/** The browser of a run; `null`: the user asks for none. Rejects with a `UsageError` where there is none. */
export async function browserOf(flags: BrowserFlags, config: BrowserSettings, env: NodeJS.ProcessEnv) {
  const { browser = config.enabled, routes } = flags;
  if (browser === false) return withoutBrowser(flags);
  return demandBrowser({ ...config, routes: routes ?? config.routes }, env, flags);
}

/** The browser of runs that need one. Rejects with a `UsageError` where there is none. */
export async function demandBrowser(config: BrowserSettings, env: NodeJS.ProcessEnv, flags: BrowserFlags = {}) {
  demandPackages();
  return {
    target: await targetOf(flags, config, env),
    routes: config.routes,
    slowMs: config.slowMs,
    // As root, the sandbox of Chromium refuses to work.
    isSandboxed: config.sandbox && process.getuid?.() !== 0,
  };
}

function withoutBrowser({ browserPath, routes, screenshots }: BrowserFlags): null {
  const others = { '--browser-path': browserPath, '--routes': routes, '--screenshots': screenshots };
  const [option] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (option === undefined) return null;
  throw new UsageError((messages) => messages.needsOption(option, '--browser'));
}

async function targetOf({ browser, browserPath }: BrowserFlags, config: BrowserSettings, env: NodeJS.ProcessEnv) {
  if (typeof browser !== 'string') {
    if (browserPath === undefined && config.address !== null) return { address: config.address };
    return { file: await fileOfBrowser(browserPath ?? config.path, env) };
  }
  if (browserPath === undefined) return { address: browser };
  throw new UsageError((messages) => messages.exclusive('--browser <address>', '--browser-path'));
}

function demandPackages(): void {
  const { resolve } = createRequire(import.meta.url);
  try {
    resolve('playwright-core');
    resolve('axe-core/axe.min.js');
  } catch {
    throw new UsageError((messages) => messages.noBrowserPackages());
  }
}

async function fileOfBrowser(named: string | null, env: NodeJS.ProcessEnv): Promise<string> {
  const { findBrowser, isExecutable } = await import('../browser/find.ts');
  if (named !== null) {
    if (await isExecutable(named)) return named;
    throw new UsageError((messages) => messages.badBrowserPath(echoed(named)));
  }
  const found = await findBrowser(env);
  if (found !== null) return found;
  throw new UsageError((messages) => messages.noBrowser(process.platform));
}
