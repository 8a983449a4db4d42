import type { Answer, RawFinding, Evidence, Gathered, Reply, Site, Json } from '../../src/check.ts';
import { notEvaluated } from '../../src/expect/not-received.ts';
import { hasHtmlMarkup } from '../../src/parse/html.ts';
import { htmlResources } from '../../src/parse/html-links.ts';
import type { Rule } from './rules.ts';
import { evaluateAssets, type LoadedAssets } from './evaluate.ts';
import { load } from './load.ts';
import { requiredByPage, requiredBy, type Context, type PageRequirements } from './required-files.ts';
import { decodeUtf8 } from '../../src/parse/text.ts';

export interface GatheredAssets extends Gathered {
  readonly answer: null;
  readonly bundle: Answer;
  /** `null`: no page came that could load anything. */
  readonly loaded: LoadedAssets | null;
  /** What was not checked, because there is too much of it; `null`: nothing. */
  readonly leftOut: Evidence | null;
}

/** What the bundle and the configuration name, and what came for it. */
export async function gather(site: Site): Promise<GatheredAssets> {
  const bundle = await site.bundle();
  const text = pageOf(bundle);
  if (text === null || bundle.kind === 'no-reply') return { answer: null, bundle, loaded: null, leftOut: null };
  return { answer: null, bundle, ...(await gatherAssets(site, bundle, text)) };
}

export function evaluate({ bundle, loaded, leftOut }: GatheredAssets): readonly RawFinding<Rule>[] {
  if (loaded === null) return [notEvaluated(bundle)];
  return [...evaluateAssets(loaded), ...(leftOut === null ? [] : [{ rule: 'left-out', evidence: leftOut } as const])];
}

/** The text of the page, where it is one. */
function pageOf(bundle: Answer): string | null {
  if (bundle.kind === 'no-reply' || bundle.status !== 200) return null;
  const text = Buffer.from(bundle.body).toString('utf8');
  return hasHtmlMarkup(text) ? text : null;
}

async function gatherAssets(
  site: Site,
  bundle: Reply,
  text: string,
): Promise<Omit<GatheredAssets, 'answer' | 'bundle'>> {
  const page = new URL(bundle.url);
  const html = await htmlResources(text);
  const policies = [...html.policies, ...bundle.headers.all('content-security-policy')];
  const upgrades = policies.some((policy) => /(?:^|[;,])\s{0,20}upgrade-insecure-requests\b/i.test(policy));
  const context = { base: page, page, file: 'index.html', upgrades };
  const config = configText(await site.config());
  const byPage = await requiredByPage(html, context);
  const byConfiguration = requiredByConfiguration(await site.configuration(), config, {
    ...context,
    file: 'config.json',
  });
  const start = {
    wanted: [...byPage.wanted, ...byConfiguration.wanted],
    insecure: [...byPage.insecure, ...byConfiguration.insecure],
  };
  const {
    assets: loaded,
    insecure,
    texts,
    requests,
    left,
    foreignLeft,
    cut,
    unread,
  } = await load(site, start, context);
  const all = new Map([...texts, ['index.html', text], ['config.json', config]]);
  const sizes = new Map(loaded.map(({ observed }) => [observed.url, observed.bytes]));
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const unreadFiles = html.whole ? unread : unread + 1;
  return {
    leftOut: left + unreadFiles === 0 ? null : { left, unread: unreadFiles },
    loaded: { page, quirks: html.quirks, assets: loaded, insecure, texts: all },
    requests,
    facts: {
      assets: requests,
      bytes,
      ...(left > 0 ? { left } : {}),
      ...(foreignLeft > 0 ? { foreignLeft } : {}),
      ...(cut || unreadFiles > 0 ? { cutShort: true } : {}),
    },
  };
}

/** The text of the configuration, for places in it; empty where there is none. */
function configText(config: Answer): string {
  if (config.kind === 'no-reply') return '';
  const decoded = decodeUtf8(config.body);
  return decoded.ok ? decoded.text : '';
}

/* Says which files a configuration names. Pure. */

type SettingKind = 'icon' | 'image' | 'style' | 'script' | 'font';

/** What the name of a setting says of the file it names, and the extensions that such a file has. */
const SETTINGS: readonly { names: RegExp; extensions: RegExp; kind: SettingKind }[] = [
  { names: /^(?:favicon|icon|icons)$/, extensions: /^(?:svg|png|jpe?g|gif|webp|avif|ico)$/, kind: 'icon' },
  {
    names: /^(?:logo|image|images|img|picture|banner|cover|avatar|background|hero|thumbnail)$/,
    extensions: /^(?:svg|png|jpe?g|gif|webp|avif|ico)$/,
    kind: 'image',
  },
  { names: /^(?:css|stylesheet|stylesheets|style|styles|theme|themes)$/, extensions: /^css$/, kind: 'style' },
  { names: /^(?:js|script|scripts|plugin|plugins|javascript)$/, extensions: /^m?js$/, kind: 'script' },
  { names: /^(?:font|fonts)$/, extensions: /^(?:woff2?|ttf|otf)$/, kind: 'font' },
];

/** A path or URL of one file: no white space, quotes, placeholders or line ends. */
const FILE = /^(?!data:)[^\s<>"'`{}|\\^]{1,1999}\.([a-z0-9]{2,5})(?:[?#][^\s<>"'`]*)?$/i;
const MOST_SETTINGS = 200;

interface Setting {
  readonly name: string;
  readonly value: string;
}

/**
 * The files that a configuration names: members, one level of nesting deep, whose name says that they are files and
 * whose value has such a file's extension. Engines have settings of their own, so nothing else is guessed.
 */
function requiredByConfiguration(
  configuration: Readonly<Record<string, Json>>,
  text: string,
  context: Context,
): PageRequirements {
  const all = settingsOf(configuration).map((setting) => requiredBySetting(setting, text, context));
  return { wanted: all.flatMap(({ wanted: required }) => required), insecure: all.flatMap(({ insecure }) => insecure) };
}

function requiredBySetting({ name, value }: Setting, text: string, context: Context): PageRequirements {
  const kind = kindOf(name, value);
  if (kind === null) return { wanted: [], insecure: [] };
  const offset = Math.max(0, text.indexOf(JSON.stringify(value)));
  // A script of the configuration is loaded beside the bundle, which starts without it.
  const { wanted: required, insecure } = requiredBy([{ kind, url: value, offset, async: kind === 'script' }], context);
  return {
    insecure,
    wanted: required.map((file) => ({ ...file, urls: locations(value, file.urls[0], context), setting: name })),
  };
}

/** A leading slash means the site's base, then the origin. */
function locations(value: string, url: URL, { page }: Context): readonly [URL, ...URL[]] {
  if (!value.startsWith('/') || value.startsWith('//')) return [url];
  const own = new URL(`.${value}`, page);
  own.hash = '';
  return own.href === url.href ? [url] : [own, url];
}

function kindOf(name: string, value: string): SettingKind | null {
  const extension = FILE.exec(value)?.[1]?.toLowerCase();
  if (extension === undefined) return null;
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
  const fits = SETTINGS.find(
    ({ names, extensions }) => words.some((word) => names.test(word)) && extensions.test(extension),
  );
  return fits?.kind ?? null;
}

function settingsOf(configuration: Readonly<Record<string, Json>>): readonly Setting[] {
  const found: Setting[] = [];
  const add = (name: string, value: Json | undefined): void => {
    if (typeof value === 'string' && found.length < MOST_SETTINGS) found.push({ name, value });
  };
  for (const [name, value] of Object.entries(configuration)) {
    add(name, value);
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Array.isArray(value) ? (value as readonly Json[]).slice(0, MOST_SETTINGS) : [value]) {
      add(name, inner);
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) continue;
      // `logo: { dark: … }`: either name may say what it is.
      for (const [member, nested] of Object.entries(inner)) {
        for (const each of [nested].flat()) add(`${name}.${member}`, each);
      }
    }
  }
  return found;
}
