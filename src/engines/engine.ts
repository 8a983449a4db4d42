/** What is true of one engine: how to recognise it, its files and settings, and what its visitors see. */
import type { Evidence, Json } from '../core/answer.ts';
import type { EvaluationLimits } from '../site/types.ts';
import type { EngineLink, MarkdownFacts, MarkdownLink } from '../parse/markdown.ts';
import type { ReadLimit } from '../parse/untrusted.ts';
import type { Link } from './link.ts';

/** The engines that `--engine` and `engine:` name, as their authors write them; the names of their items in the fixes. */
export const ENGINE_NAMES = {
  vertiwiki: 'VertiWiki',
  mdwiki: 'MDwiki',
  docsify: 'docsify',
  generic: 'generic',
} as const;
export type EngineId = keyof typeof ENGINE_NAMES;
export const ENGINE_IDS = Object.keys(ENGINE_NAMES) as readonly EngineId[];

/**
 * What visitors see without a readable configuration. `required`: a blank page; `optional`: a site with the engine's
 * defaults; `bundle`: the engine has no such file, its settings are in the bundle.
 */
export type ConfigurationUse = 'required' | 'optional' | 'bundle';

export interface EngineProfile {
  readonly id: EngineId;
  /** The version that a bundle of this engine names; `null`: none. `undefined`: the bundle is of another engine. */
  readonly recognise: (bundle: string) => string | null | undefined;
  /** Where the engine looks for its files unless a setting names others, relative to the base. */
  readonly files: Readonly<Record<Setting, string>>;
  /** The engine's own names of these settings. */
  readonly settingNames?: Readonly<Partial<Record<Setting, string>>>;
  readonly configuration: (version: string | null) => ConfigurationUse;
  /** Whether a site without a navigation is complete. */
  readonly navigation: 'required' | 'optional';
  /** What visitors see when HTML comes instead of the navigation, as from an SPA fallback. */
  readonly htmlNavigation?: 'blank';
  /** What visitors see where the home page is empty, is not sent, or is looked for in a wrong folder. */
  readonly emptyHome?: 'blank';
  /** The folder of a language, without slashes around, by the home page or navigation beside it; absent: the prefix. */
  readonly localeFolder?: (prefix: string, beside: string) => string;
  /** Set where a language without a navigation of its own gets that of the default language. */
  readonly sharesNavigation?: true;
  readonly llmsTxt: 'required' | 'optional';
  /** Whether a file that the engine's own page names, such as its icon, need not exist; by its address. */
  readonly isOptionalPart?: (url: URL) => boolean;
  /** Whether a script that the bundle loads is the engine itself; absent: any of them may be. */
  readonly isOwnScript?: (url: string) => boolean;
  /** Whether a text loads the engine or holds it; given where `isOwnScript` is. */
  readonly isLoadedBy?: (text: string) => boolean;
  /** Reads the settings of a site from its bundle and its `config.json`, both untrusted. */
  readonly configure: (site: {
    readonly bundle: string;
    readonly configuration: Configuration;
    readonly limits: EvaluationLimits;
    /** Reads a script file of the site by its address in the bundle; `null`: elsewhere, too large, or not received. */
    readonly script?: (address: string) => Promise<string | null>;
  }) => EngineSettings | Promise<EngineSettings>;
}

export type Configuration = Readonly<Record<string, Json>>;

export interface EngineSettings {
  readonly settings: Settings;
  /** The setting that a file has its path from, as the site wrote it, where that is another than the engine's own name of it. */
  readonly namedBy?: Readonly<Partial<Record<Setting, NamedBy>>>;
  /** Set where the navigation may be turned off, where its setting cannot be read. */
  readonly navigation?: 'optional';
  /**
   * What the engine shows beside the pages of a folder: menus, covers. Of each the files that it looks for, of which it
   * shows the first that exists; relative to the base, as in a setting. `from`: a page of the folder.
   */
  readonly menus?: (from: Pick<LinkPlace, 'path' | 'base' | 'home'>) => readonly (readonly string[])[];
  /** Links of a menu that the bundle has itself. */
  readonly menuInBundle?: readonly MarkdownLink[];
  /** A file that is shown before the home page. */
  readonly cover?: string;
  /** Set where relative links of a menu start in the folder of the page that it is shown beside. */
  readonly menusFollowPages?: true;
  /**
   * Set where pages have addresses without a hash, such as `/guide`: the host must return the bundle for names without an
   * extension, and 404 for all other missing files.
   */
  readonly routing?: 'history';
  /**
   * Set where pages are decoded by their byte-order mark, else by the charset of the response, as XMLHttpRequest does; not
   * always as UTF-8, as `fetch` does.
   */
  readonly obeysCharset?: true;
  /** Why the settings could not be read, where they are in the bundle; `offset`: in the bundle's text. */
  readonly problem?: { readonly offset: number; readonly evidence: Evidence };
  /** Set where reading the settings in the bundle took more than allowed: they are not known. */
  readonly limit?: Exclude<ReadLimit['limit'], 'ended'>;
  readonly links: EngineLinks;
}

export interface WrittenSetting {
  readonly setting: string;
  readonly value: string;
}

export interface NamedBy extends WrittenSetting {
  /** The settings that all paths depend on; `without`: where the file would be if one were not set. */
  readonly shared: readonly (WrittenSetting & { readonly without: string })[];
}

export interface EngineLinks {
  /** Links that this engine makes and CommonMark does not. */
  readonly dialect?: EngineLink['dialect'] | readonly EngineLink['dialect'][];
  /** The same in menus, where that differs. */
  readonly menuDialect?: EngineLinks['dialect'];
  resolve(link: WrittenLink, from: LinkPlace): Link;
  /** What follows the base URL in the address of a page: `#/guide/setup.md`. `null`: no route leads to the file. */
  routeTo(path: string): string | null;
}

export type WrittenLink = Pick<MarkdownLink, 'url' | 'kind' | 'title' | 'raw'>;

export interface LinkPlace {
  /** The file that holds it, relative to the base, percent-decoded. */
  readonly path: string;
  readonly base: URL;
  /** What `#/` shows. */
  readonly home: string;
  readonly menu: boolean;
  /** The page beside which a menu is shown; absent: one of its own folder. */
  readonly beside?: string;
  /** The page in which the file is embedded. */
  readonly embeddedIn?: string;
}

export interface Engine {
  readonly profile: EngineProfile;
  /** `null`: the bundle does not name it. */
  readonly version: string | null;
  /** Whether it was neither recognised nor set by the user. */
  readonly assumed: boolean;
}

/** A longer value names no file: servers refuse such a path. In UTF-16 code units. */
export const LONGEST_PATH = 2_000;

/** The settings that say where a site's files are; one that is absent, empty or of a wrong type leaves the default. */
export interface Settings {
  readonly homePage?: string;
  /** `null`: the engine makes a menu without a file. */
  readonly navigationFile?: string | null;
  /** `null` turns the agent index off. */
  readonly llmsTxtUrl?: string | null;
}

/** A setting that names a file of the site. */
export type Setting = keyof Settings;

export function readSettings(configuration: Configuration): Settings {
  const isPath = (value: Json): boolean =>
    typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_PATH;
  const settings = Object.entries(configuration).filter(([name, value]) => {
    if (name === 'llmsTxtUrl' && value === null) return true;
    return /^(?:homePage|navigationFile|llmsTxtUrl)$/.test(name) && isPath(value);
  });
  return Object.fromEntries(settings);
}

/** The links of a file, those in the engine's own dialect among them. */
export function linksOf(
  { links, engineLinks = [] }: Pick<MarkdownFacts, 'links' | 'engineLinks'>,
  { dialect, menuDialect = dialect }: EngineLinks,
  menu: boolean,
): readonly MarkdownLink[] {
  const wanted = new Set([(menu ? menuDialect : dialect) ?? []].flat());
  const own = engineLinks.filter((link) => wanted.has(link.dialect));
  if (own.length === 0) return links;
  // Of the line of an entry the engine reads nothing else.
  const lines = new Set(own.flatMap((link) => (link.dialect === 'items' ? [link.line] : [])));
  return [...links.filter(({ line }) => !lines.has(line)), ...own];
}
