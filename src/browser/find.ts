import { access, constants } from 'node:fs/promises';
import path from 'node:path';

const NAMES =
  'google-chrome-stable google-chrome chromium chromium-browser chrome microsoft-edge-stable microsoft-edge'.split(' ');

const MAC = ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

const WINDOWS = [
  String.raw`Google\Chrome\Application\chrome.exe`,
  String.raw`Chromium\Application\chrome.exe`,
  String.raw`Microsoft\Edge\Application\msedge.exe`,
];

/**
 * The file of a browser of the Chromium family: what `CHROME_PATH` names, one on the `PATH`, one in a usual location of
 * the system, the one that Playwright has installed; `null`: none.
 */
export async function findBrowser(env: Readonly<NodeJS.ProcessEnv>): Promise<string | null> {
  for (const file of locationsOf(env)) if (await isExecutable(file)) return file;
  // Loaded last, because it is large.
  const { chromium } = await import('playwright-core');
  const file = chromium.executablePath();
  return (await isExecutable(file)) ? file : null;
}

export async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

function locationsOf(env: Readonly<NodeJS.ProcessEnv>): readonly string[] {
  const first = env['CHROME_PATH'] ? [env['CHROME_PATH']] : [];
  if (process.platform === 'win32') {
    const roots = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => env[name] ?? []);
    return [...first, ...WINDOWS.flatMap((file) => roots.map((root) => path.win32.join(root, file)))];
  }
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const onPath = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [...first, ...onPath, ...(process.platform === 'darwin' ? MAC : ['/opt/google/chrome/chrome'])];
}
