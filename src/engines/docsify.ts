/**
 * docsify (https://github.com/docsifyjs/docsify, versions 4 and 5). Its settings are in `window.$docsify` of the bundle;
 * routes become files as in its `router/history/base.js`, links as in its `render/compiler/link.js`.
 */
import { posix } from 'node:path';
import type {
  EngineLinks,
  EngineProfile,
  EngineSettings,
  LinkPlace,
  NamedBy,
  Settings,
  WrittenLink,
  WrittenSetting,
} from './engine.ts';
import { withinTime } from '../parse/time-limit.ts';
import type { Result } from '../parse/readers.ts';
import { readUntrusted, type ReadLimit } from '../parse/untrusted.ts';
import { positionsOf } from '../parse/position.ts';
import { decoded } from '../parse/urls.ts';
import { hrefOfPath, isMarkdownPath, pathUnder, resolveLink, targetOf, type Link } from './link.ts';
import type { Data, ScriptFiles, ScriptSettings } from '../parse/script-settings.ts';

/** An address of the engine, or a name in its code. */
const LOADER = /[/"']docsify(?:\.min)?\.js\b|\/docsify(?:@[^/"'\s]*)?\/?["',]|\bDocsifyCompiler\b/i;
/** Plugins are shorter than the engine, whatever its build (UTF-16 code units). */
const SHORTEST = 30_000;

/** Other checks wait for the settings, and need time of their own after them. */
const LONGEST_READING_MS = 2_000;

export const docsify: EngineProfile = {
  id: 'docsify',
  recognise: (bundle) => {
    if (!/\$docsify\b|\bdocsify(?:\.min)?\.js\b|\/docsify@|\/docsify\/(?:lib|dist)\//i.test(bundle)) return undefined;
    const version =
      /\bdocsify@v?(\d+(?:\.\d+){0,2})(?![\w.])/i.exec(bundle) ?? /\bDocsify v(\d+\.\d+\.\d+)/.exec(bundle);
    return version?.[1] ?? null;
  },
  files: { homePage: 'README.md', navigationFile: '_sidebar.md', llmsTxtUrl: 'llms.txt' },
  settingNames: { homePage: 'homepage', navigationFile: 'loadSidebar' },
  configuration: () => 'bundle',
  navigation: 'required',
  llmsTxt: 'optional',
  emptyHome: 'blank',
  isOwnScript: (url) => /\/docsify(?:\.min)?\.js(?:[?#]|$)|\/docsify(?:@[^/]*)?\/?$/i.test(url),
  isLoadedBy: (text) => LOADER.test(text) || (text.length >= SHORTEST && /docsify/i.test(text)),
  async configure({ bundle, limits: { parseMs, signal, read: inWorker }, script: scriptOf = async () => null }) {
    const limitMs = Math.min(parseMs, LONGEST_READING_MS);
    const readWith = (files: ScriptFiles): Promise<Result<'script-settings'> | ReadLimit> =>
      readUntrusted('script-settings', bundle, { files }, { limitMs, signal, read: inWorker });
    const inPage = await readWith({});
    const files = inPage.ok && isPartial(inPage) ? await settingsFiles(inPage, scriptOf) : {};
    const read = Object.keys(files).length === 0 ? inPage : await readWith(files);
    const script = new Script(read.ok ? read : UNREAD);
    const versions = [bundle, ...Object.values(files)].map((text) => docsify.recognise(text));
    // Version 4 has marked 1.
    const isOld = /^4\b/.test(versions.find((version) => typeof version === 'string') ?? '');
    // A plugin for footnotes may be one of any name.
    const hasFootnotes = /footnote/i.test(bundle);
    const site = new Docsify(script, [...(isOld ? UNBALANCED : []), ...(hasFootnotes ? [] : FOOTNOTES)]);
    return {
      settings: site.settings(),
      namedBy: site.namedBy(),
      ...(site.cover === null ? {} : { cover: site.cover }),
      ...(script.isUnsure('loadSidebar') ? { navigation: 'optional' } : {}),
      obeysCharset: true,
      menus: (from) => site.menus(from),
      ...(site.hasNavbar || !read.ok ? {} : { menuInBundle: linksIn(bundle, read.nav) }),
      ...(site.menusFollowPages ? { menusFollowPages: true } : {}),
      ...(site.isHistory ? { routing: 'history' } : {}),
      ...problemOf(read),
      links: site,
    };
  },
};

/** Looked for in the folder of a page, and in those above. */
const MENUS = [
  { key: 'loadSidebar', preset: '_sidebar' },
  { key: 'loadNavbar', preset: '_navbar' },
];
const ROUTING = ['alias', 'basePath', 'ext', 'homepage', 'relativePath', 'routes', 'noCompileLinks'];
const MOST_ENTRIES = 100;
const LONGEST_SETTING = 1_000;
const MOST_ALIASES = 20;

const isAbsolute = (path: string): boolean => /:|\/\//.test(path);

const cleaned = (path: string): string => path.replace(/^\/+/, '/').replaceAll(/([^:])\/{2,}/g, '$1/');

const UNREAD: ScriptSettings = {
  attributes: {},
  nav: [],
  values: new Map(),
  sources: new Map(),
  files: [],
  isFound: false,
  isComplete: false,
  isOpen: true,
};

/** Whether files of the site may have settings that the page has not. */
const isPartial = ({ isFound, isComplete, isOpen, problem }: ScriptSettings): boolean =>
  problem === undefined && (!isFound || !isComplete || isOpen);

const MOST_FILES = 5;

/** Links that its parser, marked, makes of what CommonMark does not take for one. */
const UNBALANCED = ['unbalanced'] as const;
const FOOTNOTES = ['footnotes'] as const;

/** The script files that set `window.$docsify` or, where the page uses a variable that it has not, may have it. */
async function settingsFiles(
  { files, isFound }: ScriptSettings,
  scriptOf: (address: string) => Promise<string | null>,
): Promise<ScriptFiles> {
  const others = files.filter((address) => docsify.isOwnScript?.(address) === false);
  const read = others.slice(0, MOST_FILES).map(async (address) => [address, await scriptOf(address)] as const);
  const texts = (await Promise.all(read)).filter((entry): entry is readonly [string, string] => entry[1] !== null);
  return Object.fromEntries(texts.filter(([, text]) => isFound || text.includes('$docsify')));
}

function linksIn(bundle: string, nav: ScriptSettings['nav']): NonNullable<EngineSettings['menuInBundle']> {
  const positions = positionsOf(
    bundle,
    nav.map(({ offset }) => offset),
  );
  return nav.map(({ url, offset }) => ({
    url,
    kind: 'html',
    raw: true,
    ...(positions.get(offset) ?? { line: 1, column: 1 }),
  }));
}

function problemOf(read: Result<'script-settings'> | ReadLimit): Pick<EngineSettings, 'problem' | 'limit'> {
  if (!read.ok) return read.limit === 'ended' ? {} : { limit: read.limit };
  if (read.isCut) return { limit: 'memory' };
  return read.problem ? { problem: { offset: read.problem.offset, evidence: { error: read.problem.error } } } : {};
}

const attributeOf = (key: string): string => `data-${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The members of `window.$docsify`. */
class Script {
  readonly #read: ScriptSettings;

  constructor(read: ScriptSettings) {
    this.#read = read;
  }

  /** The value of a member that is plain data. `data-…` attributes override what the script sets. */
  get(key: string): Data | undefined {
    const { attributes, values } = this.#read;
    const attribute = attributeOf(key);
    const value = Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined;
    return value === undefined ? values.get(key) : value === '' || value;
  }

  /** The same without a member. */
  without(key: string): Script {
    const values = new Map(this.#read.values);
    values.delete(key);
    const { [attributeOf(key)]: _, ...attributes } = this.#read.attributes;
    return new Script({ ...this.#read, values, attributes });
  }

  /** Whether a member may have another value than the text shows. */
  isUnsure(key: string): boolean {
    const { isFound, isComplete, values } = this.#read;
    return !isFound || !isComplete || (values.has(key) && values.get(key) === undefined);
  }

  /** Whether a member is set to what only a browser can compute. */
  isComputed(key: string): boolean {
    const { values } = this.#read;
    return this.get(key) === undefined && values.has(key);
  }

  /** Whether a plugin may change links: its text names what can, or is not known. */
  get hasRoutingPlugin(): boolean {
    const source = this.#read.sources.get('plugins');
    if (source === undefined) return this.isUnsure('plugins');
    return !this.#read.isComplete || /\b(?:beforeEach|afterEach|doneEach|alias|router)\b/.test(source);
  }
}

class Docsify implements EngineLinks {
  readonly #script: Script;
  readonly #patterns = new SafePatterns();
  readonly dialect: NonNullable<EngineLinks['dialect']>;
  readonly #ext: string;
  /** Where files are: relative to the bundle, or from the origin's root or another host where it is so written. */
  readonly #basePath: string;
  /** With `routerMode: 'history'` a click on any link of the site is a route. */
  readonly isHistory: boolean;
  /** What `#/` shows: with `onlyCover` the cover alone. */
  readonly #home: string;

  constructor(script: Script, dialect: NonNullable<EngineLinks['dialect']>) {
    this.#script = script;
    this.dialect = dialect;
    this.#ext = this.#text('ext') ?? '.md';
    this.#basePath = this.#text('basePath') ?? '';
    this.isHistory = this.#text('routerMode') === 'history';
    this.#home = this.#fileOf(this.#onlyCover() ?? '/');
  }

  /** What differs from the engine's own files. */
  settings(): Settings {
    const sidebar = this.#menu('loadSidebar', '_sidebar');
    const llmsTxt = this.#script.get('llmsTxtUrl');
    const home = this.#home;
    const menu = sidebar === null ? docsify.files.navigationFile : this.#fileOf(`/${sidebar}`);
    // Without the setting the sidebar is made from the headings of each page.
    const isOff = sidebar === null && !this.#script.isUnsure('loadSidebar');
    return {
      ...(home === docsify.files.homePage ? {} : { homePage: home }),
      ...(menu === docsify.files.navigationFile && !isOff ? {} : { navigationFile: isOff ? null : menu }),
      ...(llmsTxt === null || typeof llmsTxt === 'string' ? { llmsTxtUrl: llmsTxt } : {}),
    };
  }

  menus(from: Pick<LinkPlace, 'path' | 'base' | 'home'>): readonly (readonly string[])[] {
    const folder = this.#folderOf(from);
    const folders = Array.from(folder.matchAll(/\//g), ({ index }) => folder.slice(0, index + 1)).toReversed();
    const menus = MENUS.flatMap(({ key, preset }) => {
      // An expression such as `!isEmbedded` turns the menu off for some visitors.
      const name = this.#menu(key, preset) ?? (this.#script.isComputed(key) ? preset + this.#ext : null);
      return name === null ? [] : [folders.map((each) => this.#fileOf(`${each}${name}`))];
    });
    return folder === '/' ? [...menus, ...this.#covers().map((route) => [this.#fileOf(route)])] : menus;
  }

  /** The settings that the paths of the home page and of the sidebar are of. */
  namedBy(): NonNullable<EngineSettings['namedBy']> {
    const written = (setting: string): readonly WrittenSetting[] => {
      const value = this.#text(setting);
      return value === null ? [] : [{ setting, value }];
    };
    const shared = [...written('basePath'), ...written('ext')];
    const [cover, aliased] = [this.#onlyCover(), this.#aliased('/')];
    const [homePage] = [
      ...(cover === null ? [] : [{ setting: 'coverpage', value: cover }]),
      ...(aliased === '/' ? [] : [{ setting: 'alias', value: aliased }]),
      ...written('homepage'),
      ...shared,
    ];
    const [navigationFile] = [...written('loadSidebar'), ...shared];
    const named = (by: WrittenSetting, file: 'homePage' | 'navigationFile'): NamedBy => {
      const partsOf = ({ setting, value }: WrittenSetting) => {
        const without = new Docsify(this.#script.without(setting), this.dialect).settings();
        return { setting, value, without: without[file] ?? docsify.files[file] };
      };
      return { ...by, shared: shared.map(partsOf) };
    };
    return {
      ...(homePage === undefined ? {} : { homePage: named(homePage, 'homePage') }),
      ...(navigationFile === undefined ? {} : { navigationFile: named(navigationFile, 'navigationFile') }),
    };
  }

  /** The cover that is shown before the home page; `null`: none is, or it is all of the home page. */
  get cover(): string | null {
    const route = this.#onlyCover() === null ? this.#coverOfHome() : null;
    return route === null ? null : this.#fileOf(route);
  }

  /** The route of the cover that is all of the home page; `null`: none is. */
  #onlyCover(): string | null {
    return this.#script.get('onlyCover') === true ? this.#coverOfHome() : null;
  }

  #coverOfHome(): string | null {
    const cover = this.#menu('coverpage', '_coverpage');
    if (cover !== null) return `/${cover}`;
    if (this.#texts('coverpage').includes('/')) return '/_coverpage';
    const [, name] = this.#entries('coverpage').find(([route]) => route === '/') ?? [];
    if (name === true) return '/_coverpage';
    return typeof name === 'string' ? `/${name}` : null;
  }

  /** Whether a file takes the place of the `<nav>` that the page has itself. */
  get hasNavbar(): boolean {
    return this.#menu('loadNavbar', '_navbar') !== null || this.#script.isUnsure('loadNavbar');
  }

  get menusFollowPages(): boolean {
    return this.#script.get('relativePath') === true;
  }

  /** Covers, and what is shown for missing pages. */
  #covers(): readonly string[] {
    const cover = this.#menu('coverpage', '_coverpage');
    const missing = this.#menu('notFoundPage', '_404');
    const byRoute = [
      ...this.#texts('coverpage').map((route) => [route, true] as const),
      ...this.#entries('coverpage'),
    ].flatMap(([route, name]) => {
      const named = name === true ? '_coverpage' : name;
      return typeof named === 'string' ? route.slice(0, route.lastIndexOf('/') + 1) + named : [];
    });
    const byFolder = this.#entries('notFoundPage').flatMap(([, name]) => (typeof name === 'string' ? `/${name}` : []));
    return [...[cover, missing].flatMap((name) => (name === null ? [] : `/${name}`)), ...byRoute, ...byFolder];
  }

  resolve(link: WrittenLink, from: LinkPlace): Link {
    const own = this.#own(link, from);
    const isCertain = !this.#script.hasRoutingPlugin && !ROUTING.some((key) => this.#script.isUnsure(key));
    if (isCertain || (own.kind !== 'page' && own.kind !== 'file')) return own;
    // Other settings, or a plugin, may read the link otherwise.
    const other = resolveLink(link, from, { addsExtension: true, filesFrom: 'either' });
    if (other.kind !== 'page' && other.kind !== 'file') return own;
    const more = [{ path: other.path, url: other.url }, ...(other.others ?? [])].filter(({ url }) => url !== own.url);
    return { ...own, others: [...(own.others ?? []), ...more] };
  }

  routeTo(path: string): string | null {
    if (path === this.#home) return this.isHistory ? '' : '#/';
    const folder = cleaned(`${this.#basePath}/`).replace(/^(?:\.?\/)+/, '');
    const below = path.startsWith(folder) ? path.slice(folder.length) : path;
    const plain = below.slice(0, -this.#ext.length).replace(/(^|\/)README$/, '$1');
    const route = ['/', `/${plain}`, `/${below}`].find(
      (one) => !this.#isVirtual(one) && this.#fileOf(one).replace(/^\.?\//, '') === path,
    );
    if (route === undefined) return null;
    return this.isHistory ? hrefOfPath(route.slice(1)) : `#${hrefOfPath(route)}`;
  }

  #text(key: string): string | null {
    const value = this.#script.get(key);
    return typeof value === 'string' && value !== '' && value.length < LONGEST_SETTING ? value : null;
  }

  #texts(key: string): readonly string[] {
    const value = this.#script.get(key);
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string').slice(0, MOST_ENTRIES) : [];
  }

  #entries(key: string): readonly (readonly [string, Data])[] {
    const value = this.#script.get(key);
    return value instanceof Map ? [...(value as ReadonlyMap<string, Data>)].slice(0, MOST_ENTRIES) : [];
  }

  /** A file that a setting turns on or names. */
  #menu(key: string, preset: string): string | null {
    return this.#script.get(key) === true ? preset + this.#ext : this.#text(key);
  }

  /** The file of a route, relative to the base unless it is written otherwise. */
  #fileOf(route: string): string {
    const ext = this.#ext;
    const [path = ''] = this.#aliased(route).split('?', 1);
    const hasName = path.endsWith(ext) || path.endsWith('.html');
    const file = hasName ? path : `${path}${path.endsWith('/') ? 'README' : ''}${ext}`;
    const named = file === `/README${ext}` ? (this.#text('homepage') ?? docsify.files.homePage) : file;
    return isAbsolute(named) ? named : this.#below(named);
  }

  #below(path: string): string {
    const file = cleaned(`${this.#basePath}/${path}`);
    return /^(?:\/|https?:)/.test(this.#basePath) ? file : file.replace(/^\//, '');
  }

  /** Applies `alias` again and again, as docsify does, but not without end. */
  #aliased(path: string, last: string | null = null, count = 0): string {
    if (count === MOST_ALIASES || path === last) return path;
    for (const [pattern, target] of this.#entries('alias')) {
      const match = typeof target === 'string' ? this.#patterns.exec(pattern, path) : null;
      if (match === null || typeof target !== 'string') continue;
      const meant = target.replaceAll(/\$(\$|&|\d{1,2})/g, (_whole, what: string) => {
        if (what === '$') return '$';
        return (what === '&' ? match[0] : match[Number(what)]) ?? '';
      });
      return this.#aliased(meant, path, count + 1);
    }
    return path;
  }

  /** Whether a script of the site answers a route. */
  #isVirtual(route: string): boolean {
    return this.#entries('routes').some(([pattern]) => this.#patterns.exec(pattern, route) !== null);
  }

  #own(link: WrittenLink, from: LinkPlace): Link {
    const { embeddedIn, ...place } = from;
    if (embeddedIn === undefined) return this.#inPage(link, from);
    const { title = '' } = link;
    if (/(?:^|\s|['"]):include/.test(title)) return { kind: 'ignored' };
    const inPage = this.#inPage(link, { ...place, path: embeddedIn });
    if (!link.url.trim().startsWith('.') || (inPage.kind !== 'page' && inPage.kind !== 'file')) return inPage;
    // docsify lets these start at the embedded file, unless they have no text.
    const own = resolveLink(link, place, { servesFolders: true });
    if (own.kind !== 'page' && own.kind !== 'file') return inPage;
    const { path, url } = own;
    return { kind: 'file', path, url, others: [{ path: inPage.path, url: inPage.url }] };
  }

  #inPage({ url, kind, title = '', raw }: WrittenLink, from: LinkPlace): Link {
    const text = url.trim();
    const isImage = kind === 'image';
    if (raw === true) return this.#raw(text, kind, from);
    if (kind === 'bare' || isAbsolute(text)) return byBrowser(text, kind, from);
    // The options in the title: `':ignore'`, `':include :type=code'`.
    const options = new Set(Array.from(title.matchAll(/(?:^|\s|['"]):([\w-]+)(?!:)/g), ([, name = '']) => name));
    if (options.has('disabled') || (isImage && text === '')) return { kind: 'ignored' };
    if (isImage || options.has('include')) {
      return this.#shown({ url: text, kind, title }, from);
    }
    const isLeftAlone = this.#texts('noCompileLinks').some((one) => this.#patterns.exec(one, text) !== null);
    if (options.has('ignore') || isLeftAlone) return byBrowser(text, kind, from);
    if (!text.startsWith('#')) return this.#page(this.#routeOf(text, from), from);
    const anchor = new URLSearchParams(text.replace('#', 'id=')).get('id') ?? '';
    return { kind: 'page', ...targetOf(from.path, from.base), anchor };
  }

  /** An image or what a link embeds: in the folder of its page, wherever its slash is. */
  #shown({ url, kind, title = '' }: WrittenLink, from: LinkPlace): Link {
    const [path = ''] = url.split(/[?#]/, 1);
    const file = linkTo('file', this.#below(`${this.#folderOf(from)}/${path}`), null, from.base);
    const isText = kind !== 'image' && isMarkdownPath(path) && !/:(?:type|fragment)=/.test(title);
    return file.kind === 'file' && isText ? { ...file, embedded: true } : file;
  }

  /** What raw HTML holds: docsify leaves it as it is. */
  #raw(text: string, kind: WrittenLink['kind'], from: LinkPlace): Link {
    if (text.startsWith('#/')) return this.#page(text.slice(1), from);
    // The route of a button, or one that only a script understands.
    if (text.startsWith('#')) return { kind: 'ignored' };
    const isRoute = kind === 'html' && this.isHistory && !isAbsolute(text);
    return isRoute ? this.#page(this.#inHistory(text, from), from) : byBrowser(text, kind, from);
  }

  #inHistory(text: string, from: LinkPlace): string {
    const url = URL.parse(text, new URL(this.#folderOf(from), 'https://site.invalid/').href);
    return url === null ? text : decoded(url.pathname) + url.search;
  }

  /** The route of a page's folder, without its base path: `/guide/`. */
  #folderOf({ path: own, base, home, beside: path = own }: Omit<LinkPlace, 'menu'>): string {
    // The home page is shown at the root, wherever its file is.
    if (path === home) return '/';
    const start = URL.parse(this.#basePath === '' ? './' : `${this.#basePath}/`, base.href);
    const prefix = cleaned(decoded(start?.pathname ?? base.pathname));
    const whole = decoded(base.pathname) + path;
    const route = whole.startsWith(prefix) ? whole.slice(prefix.length) : path;
    return `/${route.slice(0, route.lastIndexOf('/') + 1)}`;
  }

  #routeOf(written: string, from: LinkPlace): string {
    if (written === this.#text('homepage')) return '/README';
    const [, path = '', query = ''] = /^([^?]*)(\?.*)?$/s.exec(written.replace('#', '?id=')) ?? [];
    const plain = path.replace(/\.md$/, '');
    if (this.#script.get('relativePath') !== true || plain.startsWith('/')) return cleaned(`/${plain}`) + query;
    return posix.normalize(this.#folderOf(from) + plain) + query;
  }

  #page(route: string, { base }: LinkPlace): Link {
    const [, path = '', query = ''] = /^([^?#]*)[?#]?(.*)$/s.exec(route) ?? [];
    const file = path === '' || path === '/' ? this.#home : this.#fileOf(path);
    const link = linkTo('page', file, new URLSearchParams(query).get('id'), base);
    // Where an alias is too costly to apply, any route may mean another file.
    if (this.#isVirtual(path) || this.#patterns.hasRefused) return { kind: 'ignored' };
    const language = path.split('/')[1] ?? '';
    if (link.kind !== 'page' || !this.#texts('fallbackLanguages').includes(language)) return link;
    // The page that is shown where a translation is missing.
    const rest = path.slice(language.length + 1) || '/';
    const other = linkTo('page', this.#fileOf((this.#text('fallbackDefaultLanguage') ?? '') + rest), null, base);
    return other.kind === 'page' ? { ...link, others: [{ path: other.path, url: other.url }] } : link;
  }
}

/** What the browser makes of a link: it starts at the bundle. */
function byBrowser(url: string, kind: WrittenLink['kind'], from: LinkPlace): Link {
  return resolveLink({ url, kind }, { ...from, path: '' }, { addsExtension: /#[!/]/.test(url), servesFolders: true });
}

function linkTo(kind: 'page' | 'file', file: string, anchor: string | null, base: URL): Link {
  const url = URL.parse(file, base.href);
  if (url === null || !/^https?:$/.test(url.protocol)) return { kind: 'ignored' };
  url.search = url.hash = '';
  const path = pathUnder(url, base);
  if (path === null) return { kind: 'external', url: url.href, elsewhere: url.origin === base.origin };
  return kind === 'page' ? { kind, ...targetOf(path, base), anchor } : { kind, ...targetOf(path, base) };
}

const LONGEST_PATTERN = 200;
const LONGEST_TEXT = 200;
const MOST_REPEATS = 4;
/** Time that one site's patterns may take altogether, and one of them at once, in milliseconds. */
const BUDGET_MS = 500;
const LONGEST_MS = 50;

/** Regular expressions that a site declares (`alias`, `routes`, `noCompileLinks`), untrusted. */
class SafePatterns {
  #left = BUDGET_MS;
  /** Whether a pattern was not applied: what it means for the site's links is not known. */
  hasRefused = false;
  readonly #known = new Map<string, ReturnType<typeof compile>>();

  /** Matches a text as docsify does: from its beginning to its end. */
  exec(pattern: string, text: string): RegExpExecArray | null {
    const known = this.#known.get(pattern);
    const compiled = known === undefined ? compile(pattern) : known;
    this.#known.set(pattern, compiled);
    if (compiled !== null && text.length <= LONGEST_TEXT) {
      if (compiled.isFast) return compiled.expression.exec(text);
      const began = performance.now();
      const found = withinTime(Math.min(this.#left, LONGEST_MS), () => compiled.expression.exec(text));
      this.#left -= performance.now() - began;
      if (found.done) return found.value;
    }
    this.hasRefused = true;
    return null;
  }
}

/** `null`: one that could take too long, or is invalid. `isFast`: its time grows at most with the square of the text. */
function compile(pattern: string) {
  const plain = pattern.replaceAll(/\\./g, '');
  const repeats = plain.match(/[*+{]/g)?.length ?? 0;
  const isNested = /\)[*+{?]/.test(plain);
  if (pattern.length > LONGEST_PATTERN || repeats > MOST_REPEATS || (isNested && repeats > 1)) return null;
  // What may match in several ways multiplies: `a?a?a?…`, `(a|a)(a|a)…`.
  const choices = plain.match(/[*+{?|]/g)?.length ?? 0;
  const isFast = choices <= 2 && !isNested && !/\\[\dk]/.test(pattern);
  try {
    return { expression: new RegExp(`^${pattern}$`), isFast };
  } catch {
    return null;
  }
}
