/** A real Chromium without a window, for tests of what is made for browsers. */
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/**
 * Where Linux has them. Chrome comes first, because it brings a sandbox that works where systems keep programs that they
 * do not know from making namespaces.
 */
const PATHS = ['/opt/google/chrome/chrome', '/usr/bin/google-chrome', '/usr/bin/chromium', '/usr/bin/chromium-browser'];
/** Where playwright looks for Chrome itself. */
const CHANNEL_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
  String.raw`C:\Program Files (x86)\Google\Chrome\Application\chrome.exe`,
];

/**
 * Whether tests in Chromium are to run: where it is installed, and in CI in any case, so that they fail there instead of
 * being left out.
 */
export function chromiumWanted(): boolean {
  const available = [...PATHS, ...CHANNEL_PATHS].some((file) => existsSync(file));
  if (!available && process.env['CI'] !== 'true') {
    console.warn('Neither Chromium nor Chrome is installed here: the tests in a browser are left out.');
  }
  return available || process.env['CI'] === 'true';
}

/** The file of Chromium or Chrome on Linux. */
export const chromiumFile = (): string | undefined => PATHS.find((file) => existsSync(file));

/** Starts Chromium or Chrome; rejects where there is none. Its sandbox refuses to run as root, and only then it goes without. */
export function startChromium(): Promise<Browser> {
  const executablePath = chromiumFile();
  return chromium.launch({
    ...(executablePath === undefined ? { channel: 'chrome' } : { executablePath }),
    chromiumSandbox: process.getuid?.() !== 0,
    // Containers have little shared memory.
    args: ['--disable-dev-shm-usage'],
  });
}
