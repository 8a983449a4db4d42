/** A browser, a server and two pages for the tests of a file: as visitors have them, and as they can be looked into. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { startChromium } from '../hosts/chromium.ts';

/** How a page is checked. */
export interface Sight {
  readonly colorScheme?: 'light' | 'dark';
  readonly forcedColors?: 'active';
  readonly viewport?: { readonly width: number; readonly height: number };
}

export interface Visits {
  /** Paths that the server was requested since a page was opened last. */
  readonly asked: string[];
  /** What the browser said of the page since then. */
  readonly said: string[];
  /** A page without scripts. */
  plain(): Page;
  /** One whose scripts can look at it from inside. */
  scripted(): Page;
  /** The address of the server, without a slash at its end. */
  address(): string;
  /** Opens an address again. A page of its own for each would cost more than all that is checked. */
  open(page: Page, path: string, sight?: Sight): Promise<Page>;
}

const VIEWPORT = { width: 1280, height: 720 };

/** Starts them before the tests of a `describe`, and ends them after it. `serve` notes what it is requested. */
export function useVisits(serve: (asked: string[]) => Promise<Server>): Visits {
  const asked: string[] = [];
  const said: string[] = [];
  let browser: Browser;
  let server: Server;
  let plain: Page;
  let scripted: Page;

  const newPage = async (javaScriptEnabled: boolean): Promise<Page> => {
    const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    return page;
  };
  beforeAll(async () => {
    [browser, server] = await Promise.all([startChromium(), serve(asked)]);
    [plain, scripted] = await Promise.all([newPage(false), newPage(true)]);
  });
  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
  });

  const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    asked,
    said,
    plain: () => plain,
    scripted: () => scripted,
    address,
    async open(page, path, sight = {}) {
      const { colorScheme = 'light', forcedColors = 'none', viewport = VIEWPORT } = sight;
      await page.goto('about:blank');
      await page.emulateMedia({ media: 'screen', colorScheme, forcedColors });
      await page.setViewportSize(viewport);
      asked.length = 0;
      said.length = 0;
      await page.goto(address() + path);
      return page;
    },
  };
}
