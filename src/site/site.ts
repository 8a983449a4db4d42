import type { Answer, Get } from '../core/answer.ts';
import { brokenPageIn } from './broken-page.ts';
import type { NamedFile, Site } from './types.ts';
import { hasOwnContent, isAbsent } from '../expect/fallback.ts';
import { isOk } from '../expect/reply.ts';
import { lazy } from '../core/concurrency.ts';
import { engineOf, ENGINES, generic, recogniseEngine } from '../engines/index.ts';
import type { Engine, Setting } from '../engines/engine.ts';
import { findBaseAbove } from './missing-file.ts';
import { findRefusal } from './refusal.ts';
import { ACCEPT, candidates, readConfiguration } from './settings.ts';

interface SharedSiteOptions extends Pick<Site, 'base' | 'get' | 'pooled' | 'requested' | 'limits'> {
  readonly onProgress?: ((done: number, known: number) => void) | undefined;
}

/** The site of one run: what several checks need is fetched once and shared as answers. */
export function sharedSite({ onProgress, ...given }: SharedSiteOptions): Site {
  const { base, get, requested } = given;
  const bundle = lazy(() => get({ url: new URL('index.html', base), accept: ACCEPT.navigate }));
  const config = lazy(() => get({ url: new URL('config.json', base), accept: ACCEPT.fetch }));
  // What most engines request is requested before the bundle shows the engine.
  const preset = ENGINES.find(({ id }) => id === requested.engine) ?? generic;
  let known: Engine | null = null;
  const scripts = new Map<string, Promise<string | null>>();
  const script = (address: string): Promise<string | null> => {
    const text = scripts.get(address) ?? scriptText(address, bundle, get);
    scripts.set(address, text);
    return text;
  };
  const engine = lazy(async () => {
    const page = await bundle();
    const found = engineOf(textOf(page), requested.engine);
    // Only docsify is loaded by other scripts, and it has no such file.
    const isElsewhere = found.assumed && page.kind === 'reply' && !hasOwnContent(await config(), page);
    return (known = isElsewhere ? ((await engineInScripts(textOf(page), script)) ?? found) : found);
  });
  const configuration = lazy(async () => {
    // Requested at once: most engines have the file.
    const answer = preset.configuration(null) === 'bundle' ? null : config();
    const { profile, version } = await engine();
    return profile.configuration(version) === 'bundle' ? {} : readConfiguration(await (answer ?? config()));
  });
  const engineSettings = lazy(async () => {
    const [own, { profile }, answer] = await Promise.all([configuration(), engine(), bundle()]);
    return profile.configure({ bundle: textOf(answer), configuration: own, limits: site.limits, script });
  });
  const settings = lazy(async () => (await engineSettings()).settings);
  const fileOf = (setting: Setting) => lazy(() => namedFile(setting, site, new URL(preset.files[setting], base)));
  const files = {
    homePage: fileOf('homePage'),
    navigationFile: fileOf('navigationFile'),
    llmsTxtUrl: fileOf('llmsTxtUrl'),
  };
  const site: Site = {
    ...given,
    bundle,
    config,
    engine,
    knownEngine: () => known,
    engineSettings,
    settings,
    configuration,
    file: (setting) => files[setting](),
    refusal: lazy(async () => findRefusal(site)),
    hasOwnText: lazy(async () => (await import('./own-text.ts')).hasOwnText(site)),
    brokenPage: lazy(async () => {
      const page = await bundle();
      return hasTag(page) ? brokenPageIn(textOf(page)) : null;
    }),
    // What only `--full` needs is loaded when it is requested.
    notFound: lazy(async () => (await import('./not-found.ts')).requestMissing(site)),
    baseAbove: lazy(async () => findBaseAbove(site)),
    hosting: lazy(async () => (await import('./hosting.ts')).findHosting(site)),
    crawl: lazy(async () => (await import('../crawl/crawl.ts')).crawl(site, onProgress)),
  };
  return site;
}

/** The file that a setting names. `early`: the file that most engines request, before the configuration is known. */
async function namedFile(setting: Setting, site: Site, early: URL): Promise<NamedFile> {
  const { base, get } = site;
  const preset = get({ url: early, accept: ACCEPT.fetch });
  const [own, bundle, { profile }] = await Promise.all([site.engineSettings(), site.bundle(), site.engine()]);
  const ask = async (url: URL): Promise<Answer> => {
    if (url.href === early.href) return preset;
    const { origin } = new URL(bundle.url);
    // A host may say who is allowed to read only where it is asked with an origin.
    return get({ url, accept: ACCEPT.fetch, ...(url.origin !== base.origin && { headers: { origin } }) });
  };
  const value = own.settings[setting];
  const urls = typeof value === 'string' ? candidates(value, base) : [];
  let answer = (await firstFile(urls, ask, bundle)) ?? (await ask(new URL(profile.files[setting], base)));
  // docsify shows the headings of the page instead of an empty menu.
  if (setting === 'navigationFile' && value !== null && (isAbsent(answer, bundle) || isEmpty(answer))) {
    const { menuOfFolder } = await import('./folder-menu.ts');
    answer = (await menuOfFolder(site)) ?? answer;
  }
  const isMissing = site.requested.full && hasOwnContent(answer, bundle) && (await site.notFound()).isMissing(answer);
  const written = own.namedBy?.[setting] ?? { setting: profile.settingNames?.[setting] ?? setting, value };
  const named = { setting, settingName: written.setting, value: written.value };
  return { answer, bundle, ...named, ...(isMissing ? { missing: true } : {}) };
}

const isEmpty = (answer: Answer): boolean => isOk(answer) && textOf(answer).trim() === '';

/** What came of the first URL that has a file of its own, else of the first; `null`: there is none. */
async function firstFile(urls: readonly URL[], ask: (url: URL) => Promise<Answer>, bundle: Answer) {
  let first: Answer | null = null;
  for (const url of urls) {
    const tried = await ask(url);
    if (hasOwnContent(tried, bundle)) return tried;
    first ??= tried;
  }
  return first;
}

/** Longer scripts are programs rather than settings. In bytes. */
const LARGEST_SCRIPT = 256 * 1024;

/** A script file of the site itself; `null`: elsewhere, too large, or not received. */
async function scriptText(address: string, bundle: Site['bundle'], get: Get): Promise<string | null> {
  const page = await bundle();
  const url = URL.parse(address, page.url);
  if (url === null || url.origin !== new URL(page.url).origin) return null;
  const answer = await get({ url, accept: ACCEPT.fetch });
  return hasOwnContent(answer, page) && answer.body.length <= LARGEST_SCRIPT ? textOf(answer) : null;
}

const MOST_SCRIPTS = 3;

/** The engine that the page's own scripts load or hold, where the page itself names none but looks like one of docsify. */
async function engineInScripts(page: string, script: (address: string) => Promise<string | null>) {
  if (!/docsify|\bid=["']?app\b/i.test(page)) return null;
  const addresses = Array.from(page.matchAll(/<script\b[^>]{0,500}?\ssrc\s*=\s*["']?([^"'\s>]{1,500})/gi));
  const texts = await Promise.all(addresses.slice(0, MOST_SCRIPTS).map(([, address = '']) => script(address)));
  // One that reads `config.json` has settings of its own besides.
  const text = texts.find((one) => one?.includes('$docsify') === true && !one.includes('config.json'));
  return typeof text === 'string' ? recogniseEngine(text) : null;
}

/** Whether a response may be HTML, which is not decoded for nothing. */
const hasTag = (answer: Answer): boolean =>
  answer.kind === 'reply' && Buffer.from(answer.body.subarray(0, 1024)).includes('<');

/** The text of a bundle; empty where none came. */
function textOf(answer: Answer): string {
  return answer.kind === 'reply' && answer.status === 200 ? Buffer.from(answer.body).toString('utf8') : '';
}
