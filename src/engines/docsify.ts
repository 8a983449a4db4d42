/**
 * docsify (https://github.com/docsifyjs/docsify, versions 4 and 5). Its settings are in `window.$docsify` of the bundle;
 * `routes` become files as in its `router/history/base.js`, links as in its `render/compiler/link.js`.
 */
import { Parser } from 'htmlparser2';
import type { Settings } from './settings.ts';
import type { Attributes } from '../parse/html-links.ts';
import { decoded } from '../parse/urls.ts';
import type { EngineLinks, EngineProfile, EngineSettings, LinkPlace, WrittenLink } from './engine.ts';
import { hrefOfPath, pathUnder, resolveLink, type Link, type LinkTarget } from './link.ts';
import { GlobalReader, type Data, type ScriptData } from './script-data.ts';

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
  isOwnScript: (url) => /\/docsify(?:\.min)?\.js(?:[?#]|$)|\/docsify(?:@[^/]*)?\/?$/i.test(url),
  configure: ({ bundle }) => configure(bundle, /^4\b/.test(docsify.recognise(bundle) ?? '')),
};

/** `nested`: looked for in the folder of each page, too. */
const MENUS = [
  { key: 'loadSidebar', preset: '_sidebar', nested: true },
  { key: 'loadNavbar', preset: '_navbar', nested: true },
  { key: 'coverpage', preset: '_coverpage', nested: false },
  { key: 'notFoundPage', preset: '_404', nested: false },
];

/** `isOld`: version 4, which has marked 1. */
function configure(bundle: string, isOld: boolean): EngineSettings {
  const { options, problem } = readOptions(bundle.slice(0, LONGEST_BUNDLE));
  const router = new Router(options);
  return {
    settings: settingsOf(options, router),
    ...(options.isUnsure('loadSidebar') ? { navigation: 'optional' as const } : {}),
    menus: (folder) =>
      MENUS.filter(({ nested }) => folder === '' || nested).flatMap(({ key, preset }) => {
        const name = options.menu(key, preset);
        return name === null ? [] : router.fileOf(`/${folder}${name}`);
      }),
    ...(problem === undefined ? {} : { problem }),
    links: new Links(options, router, isOld ? 'unbalanced' : undefined),
  };
}

/** The settings are not looked for beyond. In UTF-16 code units. */
const LONGEST_BUNDLE = 2 * 1024 * 1024;

interface InlineScript {
  readonly isModule: boolean;
  readonly offset: number;
  text: string;
}

/** The scripts of a page that may hold settings, and the attributes of the element that loads docsify. */
function readScripts(bundle: string): { scripts: readonly InlineScript[]; attributes: Attributes } {
  const scripts: InlineScript[] = [];
  let [open, attributes]: [InlineScript | null, Attributes] = [null, {}];
  const parser = new Parser({
    onopentag(name, own) {
      const { src = '', type = '' } = own;
      if (name !== 'script') return;
      if (/docsify/i.test(src)) attributes = { ...attributes, ...own };
      const isScript = /^(?:|module|(?:text|application)\/(?:java|ecma)script)$/i.test(type.trim());
      if (src === '' && isScript) open = { isModule: type.trim() === 'module', offset: parser.endIndex + 1, text: '' };
    },
    ontext(data) {
      if (open !== null) open.text += data;
    },
    onclosetag(name) {
      if (name === 'script' && open?.text.includes('$docsify') === true) scripts.push(open);
      if (name === 'script') open = null;
    },
  });
  parser.end(bundle);
  return { scripts: scripts.slice(0, 20), attributes };
}

function readOptions(bundle: string): { options: Options; problem?: NonNullable<EngineSettings['problem']> } {
  const { scripts, attributes } = readScripts(bundle);
  const reader = new GlobalReader('$docsify');
  for (const { text, isModule, offset } of scripts) {
    const wrong = reader.read(text, isModule ? 'module' : 'script');
    if (wrong === null) continue;
    const problem = { offset: offset + wrong.offset, evidence: { error: wrong.message } };
    return { options: new Options(reader.data, attributes), problem };
  }
  return { options: new Options(reader.data, attributes) };
}

const ROUTING = ['alias', 'basePath', 'ext', 'homepage', 'plugins', 'relativePath', 'routes', 'noCompileLinks'];

/** The settings that decide where files are. */
class Options {
  readonly #data: ScriptData | null;
  /** `data-…` attributes override what the script sets. */
  readonly #attributes: Attributes;

  constructor(data: ScriptData | null, attributes: Attributes) {
    this.#data = data;
    this.#attributes = attributes;
  }

  /** Whether the bundle shows every setting that decides where files are, and no plugin rewrites pages. */
  get certain(): boolean {
    return !ROUTING.some((key) => this.isUnsure(key));
  }

  get(key: string): Data | undefined {
    const attribute = `data-${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const value = Object.hasOwn(this.#attributes, attribute) ? this.#attributes[attribute] : undefined;
    return value === undefined ? this.#data?.values.get(key) : value === '' || value;
  }

  text(key: string): string | null {
    const value = this.get(key);
    return typeof value === 'string' && value !== '' && value.length < 1_000 ? value : null;
  }

  entries(key: string): readonly (readonly [string, Data])[] {
    const value = this.get(key);
    return value instanceof Map ? [...(value as ReadonlyMap<string, Data>)].slice(0, 100) : [];
  }

  texts(key: string): readonly string[] {
    const value = this.get(key);
    return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string').slice(0, 100) : [];
  }

  get ext(): string {
    return this.text('ext') ?? '.md';
  }

  /** A file that a setting turns on or names. */
  menu(key: string, preset: string): string | null {
    return this.get(key) === true ? preset + this.ext : this.text(key);
  }

  /** Whether a setting may have another value than the bundle shows. */
  isUnsure(key: string): boolean {
    return this.#data?.complete !== true || this.#data.unknown.has(key);
  }
}

/** What differs from the engine's own files. */
function settingsOf(options: Options, router: Router): Settings {
  const sidebar = options.menu('loadSidebar', '_sidebar');
  const llmsTxt = options.get('llmsTxtUrl');
  const home = router.fileOf('/');
  const menu = sidebar === null ? docsify.files.navigationFile : router.fileOf(`/${sidebar}`);
  // Without the setting the sidebar is made from the headings of each page.
  const isOff = sidebar === null && !options.isUnsure('loadSidebar');
  return {
    ...(home === docsify.files.homePage ? {} : { homePage: home }),
    ...(menu === docsify.files.navigationFile && !isOff ? {} : { navigationFile: isOff ? null : menu }),
    ...(llmsTxt === null || typeof llmsTxt === 'string' ? { llmsTxtUrl: llmsTxt } : {}),
  };
}

const isAbsolute = (path: string): boolean => /:|\/\//.test(path);

const cleaned = (path: string): string => path.replace(/^\/+/, '/').replaceAll(/([^:])\/{2,}/g, '$1/');

class Router {
  readonly patterns = new SafePatterns();
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Where files are: relative to the bundle, or from the origin's root or another host where it is so written. */
  get basePath(): string {
    return this.#options.text('basePath') ?? '';
  }

  /** The file of a route, relative to the base unless it is written otherwise. */
  fileOf(route: string): string {
    const { ext } = this.#options;
    const named = withExtension(this.#aliased(route, null, 0), ext);
    const path = named === `/README${ext}` ? (this.#options.text('homepage') ?? docsify.files.homePage) : named;
    return isAbsolute(path) ? path : this.below(path);
  }

  /** A path below the base path. */
  below(path: string): string {
    const file = cleaned(`${this.basePath}/${path}`);
    return /^(?:\/|https?:)/.test(this.basePath) ? file : file.replace(/^\//, '');
  }

  /** Applies `alias` again and again, as docsify does, but not without end. */
  #aliased(path: string, last: string | null, depth: number): string {
    if (depth > 20) return path;
    for (const [pattern, target] of this.#options.entries('alias')) {
      if (typeof target !== 'string' || path === last) continue;
      const match = this.patterns.exec(pattern, path);
      if (match !== null) {
        const meant = target.replaceAll(/\$(\$|&|\d{1,2})/g, (_whole, what: string) => {
          if (what === '$') return '$';
          return (what === '&' ? match[0] : match[Number(what)]) ?? '';
        });
        return this.#aliased(meant, path, depth + 1);
      }
    }
    return path;
  }

  /** Whether a script of the site answers a route. */
  isVirtual(route: string): boolean {
    return this.#options.entries('routes').some(([pattern]) => this.patterns.exec(pattern, route) !== null);
  }
}

function withExtension(route: string, ext: string): string {
  const [path = ''] = route.split('?', 1);
  if (path.endsWith(ext) || path.endsWith('.html')) return path;
  return path.endsWith('/') ? `${path}README${ext}` : path + ext;
}

class Links implements EngineLinks {
  readonly #options: Options;
  readonly #router: Router;
  readonly dialect: EngineLinks['dialect'];

  constructor(options: Options, router: Router, dialect: EngineLinks['dialect']) {
    this.#options = options;
    this.#router = router;
    this.dialect = dialect;
  }

  resolve(link: WrittenLink, from: LinkPlace): Link {
    const own = this.#own(link, from);
    if (this.#options.certain || (own.kind !== 'page' && own.kind !== 'file')) return own;
    // Other settings, or a plugin, may read the link otherwise.
    const image = link.kind === 'image';
    const reading = { addsExtension: true, filesFrom: 'either', home: from.home, image } as const;
    const other = resolveLink(link.url, from.path, from.base, reading);
    if (other.kind !== 'page' && other.kind !== 'file') return own;
    const more = [{ path: other.path, url: other.url }, ...(other.others ?? [])].filter(({ url }) => url !== own.url);
    return { ...own, others: [...(own.others ?? []), ...more] };
  }

  routeTo(path: string): string | null {
    const folder = cleaned(`${this.#router.basePath}/`).replace(/^(?:\.?\/)+/, '');
    const below = path.startsWith(folder) ? path.slice(folder.length) : path;
    const plain = below.slice(0, -this.#options.ext.length).replace(/(^|\/)README$/, '$1');
    const route = ['/', `/${plain}`, `/${below}`].find(
      (one) => !this.#router.isVirtual(one) && this.#router.fileOf(one).replace(/^\.?\//, '') === path,
    );
    if (route === undefined) return null;
    return this.#isHistory ? hrefOfPath(route.slice(1)) : `#${hrefOfPath(route)}`;
  }

  #own(link: WrittenLink, from: LinkPlace): Link {
    const { kind, title = '' } = link;
    const text = link.url.trim();
    const image = kind === 'image';
    if (link.raw === true) return this.#raw(text, kind, from);
    if (kind === 'bare' || isAbsolute(text)) return this.#byBrowser(text, from, image);
    const options = optionsOf(title);
    if (options.has('disabled') || text === '') return { kind: 'ignored' };
    if (image || options.has('include')) return linkTo('file', this.#beside(text, from), null, from.base);
    if (options.has('ignore') || this.#isLeftAlone(text)) return this.#byBrowser(text, from, false);
    return this.#page(this.#routeOf(text, from), from, text.startsWith('#'));
  }

  /** What raw HTML holds: docsify leaves it as it is. */
  #raw(text: string, kind: WrittenLink['kind'], from: LinkPlace): Link {
    if (text.startsWith('#/')) return this.#page(text.slice(1), from);
    // The route of a button, or one that only a script understands.
    if (text.startsWith('#')) return { kind: 'ignored' };
    const isRoute = kind === 'html' && this.#isHistory && !isAbsolute(text);
    return isRoute ? this.#page(this.#inHistory(text, from), from) : this.#byBrowser(text, from, kind === 'image');
  }

  #isLeftAlone(text: string): boolean {
    return this.#options.texts('noCompileLinks').some((one) => this.#router.patterns.exec(one, text) !== null);
  }

  /** With `routerMode: 'history'` a click on any link of the site is a route. */
  get #isHistory(): boolean {
    return this.#options.text('routerMode') === 'history';
  }

  #inHistory(text: string, from: LinkPlace): string {
    const url = URL.parse(text, new URL(this.#folderOf(from), 'https://site.invalid/').href);
    return url === null ? text : decoded(url.pathname) + url.search;
  }

  /** What the browser makes of a link: it starts at the bundle. */
  #byBrowser(text: string, { base, home }: LinkPlace, image: boolean): Link {
    return resolveLink(text, '', base, { home, image, addsExtension: /#[!/]/.test(text), servesFolders: true });
  }

  /** The route of a page, without its base path: `/guide/setup`, `/guide/`. */
  #folderOf({ path, base, home }: LinkPlace): string {
    // The home page is shown at the root, wherever its file is.
    if (path === home) return '/';
    const start = URL.parse(this.#router.basePath === '' ? './' : `${this.#router.basePath}/`, base.href);
    const prefix = cleaned(decoded(start?.pathname ?? base.pathname));
    const whole = decoded(base.pathname) + path;
    const route = whole.startsWith(prefix) ? whole.slice(prefix.length) : path;
    return `/${route.slice(0, route.lastIndexOf('/') + 1)}`;
  }

  /** The file that an image or an included file names: in the folder of its page, wherever its slash is. */
  #beside(text: string, from: LinkPlace): string {
    const [path = ''] = text.split(/[?#]/, 1);
    return this.#router.below(`${this.#folderOf(from)}/${path}`);
  }

  #routeOf(written: string, from: LinkPlace): string {
    if (written === this.#options.text('homepage')) return '/README';
    const [, path = '', query = ''] = /^([^?]*)(\?.*)?$/s.exec(written.replace('#', '?id=')) ?? [];
    const plain = path.replace(/\.md$/, '');
    if (this.#options.get('relativePath') !== true || plain.startsWith('/')) return cleaned(`/${plain}`) + query;
    const segments: string[] = [];
    for (const segment of `${this.#folderOf(from)}${plain}`.replace(/^\//, '').split('/')) {
      if (segment === '..') segments.pop();
      else if (segment !== '.') segments.push(segment);
    }
    return cleaned(`/${segments.join('/')}`) + query;
  }

  #page(route: string, from: LinkPlace, isLocal = false): Link {
    const [, path = '', query = ''] = /^([^?#]*)[?#]?(.*)$/s.exec(route) ?? [];
    const anchor = new URLSearchParams(query).get('id');
    if (isLocal) return { kind: 'page', ...targetOf(from.path, from.base), anchor: anchor ?? '' };
    if (this.#router.isVirtual(path)) return { kind: 'ignored' };
    const link = linkTo('page', this.#router.fileOf(path === '' ? '/' : path), anchor, from.base);
    // Where an alias is too costly to apply, any route may mean another file.
    if (this.#router.patterns.hasRefused) return { kind: 'ignored' };
    const fallback = this.#fallbackOf(path, from);
    return link.kind === 'page' && fallback?.kind === 'page'
      ? { ...link, others: [{ path: fallback.path, url: fallback.url }] }
      : link;
  }

  /** The page that is shown where a translation is missing: `fallbackLanguages`. */
  #fallbackOf(path: string, from: LinkPlace): Link | null {
    const language = path.split('/')[1] ?? '';
    if (!this.#options.texts('fallbackLanguages').includes(language)) return null;
    const rest = path.slice(language.length + 1) || '/';
    const file = this.#router.fileOf((this.#options.text('fallbackDefaultLanguage') ?? '') + rest);
    return linkTo('page', file, null, from.base);
  }
}

/** The options in a link's title: `':ignore'`, `':include :type=code'`. */
function optionsOf(title: string): ReadonlySet<string> {
  return new Set([...title.matchAll(/(?:^|\s|['"]):([\w-]+)(?!:)/g)].map(([, name = '']) => name));
}

function targetOf(path: string, base: URL): LinkTarget & { readonly path: string } {
  return { path, url: base.href + hrefOfPath(path) };
}

function linkTo(kind: 'page' | 'file', file: string, anchor: string | null, base: URL): Link {
  const url = URL.parse(file, base.href);
  if (url === null || !/^https?:$/.test(url.protocol)) return { kind: 'ignored' };
  url.search = url.hash = '';
  const path = pathUnder(url, base);
  if (path === null) return { kind: 'external', url: url.href, elsewhere: url.origin === base.origin };
  return kind === 'page' ? { kind, ...targetOf(path, base), anchor } : { kind, ...targetOf(path, base) };
}

/* Regular expressions that a site declares (`alias`, `routes`, `noCompileLinks`), untrusted. */

const LONGEST_PATTERN = 200;
const LONGEST_TEXT = 200;
const MOST_REPEATS = 4;
/** Time that one site's patterns may take altogether, in milliseconds. */
const BUDGET_MS = 2_000;

/** Compiles the patterns of one site, each for a whole text; `null`: one that could take too long, or is invalid. */
class SafePatterns {
  #left = BUDGET_MS;
  /** Whether a pattern was not applied: what it means for the site's links is not known. */
  hasRefused = false;
  readonly #known = new Map<string, RegExp | null>();

  /** Matches a text as docsify does: from its beginning to its end. */
  exec(pattern: string, text: string): RegExpExecArray | null {
    const known = this.#known.get(pattern);
    const compiled = known === undefined ? compile(pattern) : known;
    this.#known.set(pattern, compiled);
    if (compiled === null || text.length > LONGEST_TEXT || this.#left <= 0) {
      this.hasRefused = true;
      return null;
    }
    const began = performance.now();
    const found = compiled.exec(text);
    this.#left -= performance.now() - began;
    return found;
  }
}

function compile(pattern: string): RegExp | null {
  const repeats = pattern.replaceAll(/\\./g, '').match(/[*+{]/g)?.length ?? 0;
  const isNested = /\)[*+{?]/.test(pattern.replaceAll(/\\./g, ''));
  if (pattern.length > LONGEST_PATTERN || repeats > MOST_REPEATS || (isNested && repeats > 1)) return null;
  try {
    return new RegExp(`^${pattern}$`);
  } catch {
    return null;
  }
}
