/** The files that a site loads or shows beside its pages, for checks that sample each kind. */
import type { Answer, Json } from '../core/answer.ts';
import type { Site } from './types.ts';
import { beginningOf } from '../expect/fallback.ts';
import { isOk } from '../expect/reply.ts';
import type { ResourceKind } from '../parse/html-links.ts';
import { readUntrusted } from '../parse/untrusted.ts';
import { resolveAddress } from '../parse/urls.ts';
import { yieldToEventLoop } from '../core/concurrency.ts';
import { candidates } from './settings.ts';

const LONGEST_TEXT = 1024 * 1024;
const MOST_SETTINGS = 2_000;
/** Most stylesheets that are requested, because fonts are named nowhere else. */
const MOST_STYLES = 3;
/** Of the addresses that one stylesheet names, together: those below a long address take time. In UTF-16 code units. */
const MOST_ADDRESSES = 1024 * 1024;
const FILE_NAME = /^[^\s<>"]{1,500}\.[A-Za-z0-9]{1,8}(?:\?[^\s<>"]{0,200})?$/;

/** What came for the files that every reader begins with: home page, navigation and, unless it is off, the agent index. */
export async function startFiles(site: Site): Promise<readonly Answer[]> {
  const { llmsTxtUrl } = await site.settings();
  const named = [
    site.file('homePage'),
    site.file('navigationFile'),
    ...(llmsTxtUrl === null ? [] : [site.file('llmsTxtUrl')]),
  ];
  return (await Promise.all(named)).map(({ answer }) => answer);
}

/**
 * What checks of headers take samples of: what the run has received already, pages that came, and loaded files. These are
 * URLs on the site's own origin, each once and without fragment: what the bundle and its stylesheets load, what
 * `config.json` names, what pages show or link to as files. Not all of them need be there.
 */
export async function sampledFiles(site: Site) {
  const [bundle, config, configuration, starts, crawl] = await Promise.all([
    site.bundle(),
    site.config(),
    site.configuration(),
    startFiles(site),
    site.crawl(),
  ]);
  const found = [
    ...(await loadedByBundle(bundle, site)),
    ...fileNames(configuration).flatMap((name) => candidates(name, site.base)),
    ...[...crawl.files.values()].filter(({ ok }) => ok).map(({ url }) => new URL(url)),
  ];
  const own = found.filter(({ origin }) => origin === site.base.origin);
  for (const url of own) url.hash = '';
  const loaded = [...new Map(own.map((url) => [url.href, url])).values()];
  return { bundle, config, starts, pages: [...crawl.pages.values()].filter(({ ok }) => ok), loaded };
}

const PARTS: ReadonlySet<ResourceKind> = new Set<ResourceKind>(['script', 'style', 'modulepreload']);
const MOST_PARTS = 100;

/** URLs on the site's own origin of the scripts and stylesheets that the bundle names, without which it shows nothing. */
export async function engineParts(site: Site): Promise<readonly URL[]> {
  const resources = await resourcesOf(await site.bundle(), site);
  const parts = resources.filter(({ kind, url }) => PARTS.has(kind) && url.origin === site.base.origin);
  return parts.slice(0, MOST_PARTS).map(({ url }) => url);
}

/** What the page of a site loads. */
export async function resourcesOf(bundle: Answer, { limits: { parseMs: limitMs, signal, read } }: Site) {
  const page = await readUntrusted('html-resources', textOf(bundle), null, { limitMs, signal, read });
  const resources = page.ok ? page.resources : [];
  const found: { readonly kind: ResourceKind; readonly url: URL }[] = [];
  for (const { kind, url, base } of resources) {
    const from = resolveAddress(base ?? '', bundle.url);
    const to = from && resolveAddress(url, from);
    if (to !== null) found.push({ kind, url: to });
    await yieldToEventLoop();
  }
  return found;
}

async function loadedByBundle(bundle: Answer, site: Site): Promise<readonly URL[]> {
  const resources = await resourcesOf(bundle, site);
  const styles = resources.filter(({ kind, url }) => kind === 'style' && url.origin === site.base.origin);
  const answers = await Promise.all(
    styles.slice(0, MOST_STYLES).map(async ({ url }) => site.pooled({ url, accept: '*/*' })),
  );
  const ofStyles: URL[] = [];
  for (const answer of answers) {
    const most = Math.ceil(MOST_ADDRESSES / answer.url.length);
    const { parseMs: limitMs, signal, read } = site.limits;
    const sheet = await readUntrusted('css-urls', textOf(answer), null, { limitMs, signal, read });
    const urls = sheet.ok ? sheet.urls.slice(0, most) : [];
    ofStyles.push(...urls.flatMap(({ url }) => resolveAddress(url, answer.url) ?? []));
    await yieldToEventLoop();
  }
  return [...resources.map(({ url }) => url), ...ofStyles];
}

const textOf = (answer: Answer): string => (isOk(answer) ? beginningOf(answer.body, LONGEST_TEXT) : '');

function fileNames(configuration: Readonly<Record<string, Json>>): readonly string[] {
  const names: string[] = [];
  const open: Json[] = [configuration];
  for (let checked = 0; open.length > 0 && checked < MOST_SETTINGS; checked++) {
    const value = open.pop();
    if (typeof value === 'string' && FILE_NAME.test(value)) names.push(value);
    else if (typeof value === 'object' && value !== null) open.push(...Object.values(value).slice(0, MOST_SETTINGS));
  }
  return names;
}
