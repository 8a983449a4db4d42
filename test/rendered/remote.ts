/** A browser that runs by itself, as in a container beside docvitals. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { chromiumFile } from '../hosts/chromium.ts';

/** Starts Chromium until the test ends; returns its address of the DevTools protocol (CDP). */
export async function startRemoteBrowser(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'docvitals-chromium-'));
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const options = ['--headless', '--disable-dev-shm-usage', '--remote-debugging-port=0', `--user-data-dir=${folder}`];
  // Playwright hangs at times where it connects while Chromium loads its own page for a new tab.
  const child = spawn(chromiumFile() ?? 'chromium', [...sandbox, ...options, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(async () => {
    const ended = once(child, 'close');
    child.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  for await (const line of createInterface(child.stderr)) {
    const [, address] = /^DevTools listening on (ws:\S+)/.exec(line) ?? [];
    // What it prints later must not fill the pipe.
    child.stderr.resume();
    if (address !== undefined) return address;
  }
  throw new Error('Chromium does not name its address.');
}
