import type { Answer, Get, NamedFile, Site } from './check.ts';
import { isFallback } from './expect/fallback.ts';
import { isHtmlDocument } from './parse/html.ts';
import { candidates, DEFAULT_FILES, readSettings, type Setting, type Settings } from './site.ts';

/** What a browser sends when it navigates; what `fetch` sends by default, as engines do (Fetch standard). */
const ACCEPT = {
  navigate: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  fetch: '*/*',
} as const;

/** The site of one run: what several checks need is fetched once and shared as answers. */
export function sharedSite(base: URL, get: Get): Site {
  const bundle = once(() => get({ url: new URL('index.html', base), accept: ACCEPT.navigate }));
  const config = once(() => get({ url: new URL('config.json', base), accept: ACCEPT.fetch }));
  const settings = once(async () => readSettings(await config()));
  return {
    base,
    get,
    bundle,
    config,
    settings,
    file: (setting) => namedFile(setting, base, get, { bundle, settings }),
  };
}

interface Shared {
  readonly bundle: () => Promise<Answer>;
  readonly settings: () => Promise<Settings>;
}

async function namedFile(setting: Setting, base: URL, get: Get, shared: Shared): Promise<NamedFile> {
  const preset = new URL(DEFAULT_FILES[setting], base);
  const presetAnswer = get({ url: preset, accept: ACCEPT.fetch });
  const [settings, bundle] = await Promise.all([shared.settings(), shared.bundle()]);
  const value = settings[setting];
  const urls = typeof value === 'string' ? candidates(value, base) : [];
  let first: Answer | undefined;
  for (const url of urls) {
    const answer = await (url.href === preset.href ? presetAnswer : get({ url, accept: ACCEPT.fetch }));
    if (isThere(answer, bundle)) return { answer, bundle, setting, value };
    first ??= answer;
  }
  return { answer: first ?? (await presetAnswer), bundle, setting, value };
}

/** Whether a file of that name seems to be there, so that no other reading of its path need be tried. */
function isThere(answer: Answer, bundle: Answer): boolean {
  if (answer.kind !== 'reply' || answer.status !== 200 || isFallback(answer, bundle)) return false;
  return !isHtmlDocument(Buffer.from(answer.body.subarray(0, 1024)).toString('utf8'));
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
