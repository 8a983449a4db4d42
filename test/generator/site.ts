/** Makes whole documentation sites of a seed: pages, navigation, agent index, engine, configuration. */
import { drawing, JPEG, makeBundle, PDF, PNG, type Bundle } from './bundle.ts';
import { encodedPath, FOLDER_FORM_NAMES, PAGE_FORM_NAMES, writeLink, type LinkForm } from './link-forms.ts';
import { anchorIn, pageText } from './page-text.ts';
import { plan, type PagePlan, type SitePlan } from './plan.ts';
import { random, type Random } from './random.ts';
import { WORDS, type Language } from './words.ts';

export interface SiteOptions {
  readonly seed: number | string;
  /** Pages in each language, the home page and the folders' indexes among them. */
  readonly pages: number;
  /** Most folders between the site's base and a page. */
  readonly depth: number;
  /** The default language first. */
  readonly languages: readonly Language[];
  /** The forms that links take; all where not given. */
  readonly linkForms?: readonly LinkForm[];
  /** Path that the site lives under: `/`, `/docs/`. */
  readonly base: string;
  /** Scheme, host and port: `http://127.0.0.1:4173`. */
  readonly origin: string;
}

/** One page of one language. */
export interface SitePage {
  /** Relative to the site's base. */
  readonly path: string;
  readonly language: Language;
  readonly plan: PagePlan;
}

export interface GeneratedSite {
  readonly options: SiteOptions;
  readonly plan: SitePlan;
  readonly bundle: Bundle['names'];
  readonly pages: readonly SitePage[];
  /** Pictures that pages show, and a file to download. */
  readonly pictures: readonly string[];
  readonly download: string;
  /** The navigation file's name, in every language. */
  readonly navigation: string;
  /** What is deployed, by path relative to the base. */
  readonly files: Map<string, string | Uint8Array>;
  /** `/robots.txt`, which belongs to the origin whatever the base. */
  readonly robots: string;
}

/** Languages but the first have a folder of their own. */
function prefixOf(language: Language, options: Pick<SiteOptions, 'languages'>): string {
  return language === options.languages[0] ? '' : `${language}/`;
}

const PICTURES = ['assets/figure.png', 'assets/Photo.JPG', 'assets/diagram.svg', 'assets/vue d’ensemble.png'];
const DOWNLOAD = 'assets/forms/log sheet.pdf';

/** A new site. The same options give the same bytes. */
export function generateSite(options: SiteOptions): GeneratedSite {
  const planned = plan(options.seed, options.pages, options.depth);
  const bundle = makeBundle(options);
  const drawn = random(`site ${options.seed}`);
  const navigation = options.languages.length === 1 && drawn.chance(0.3) ? '_sidebar.md' : 'navigation.md';
  const pages = options.languages.flatMap((language) =>
    planned.pages.map((page) => ({ path: prefixOf(language, options) + page.path, language, plan: page })),
  );
  const files = new Map(bundle.files);
  const site: GeneratedSite = {
    options,
    plan: planned,
    bundle: bundle.names,
    pages,
    pictures: PICTURES,
    download: DOWNLOAD,
    navigation,
    files,
    robots: drawn.pick(ROBOTS),
  };
  for (const path of PICTURES) files.set(path, pictureBytes(path));
  files.set(DOWNLOAD, PDF);
  files.set('assets/logo.svg', drawing('logo'));
  files.set('assets/custom.css', `/* Colours of the coast */\n${':root { --sea: #0b4f6c; }\n'.repeat(3)}`);
  files.set('config.json', configuration(site, drawn));
  files.set('llms.txt', agentIndex(site));
  for (const language of options.languages) {
    files.set(prefixOf(language, options) + navigation, navigationText(site, language));
  }
  const forms = formsInTurn(site);
  for (const page of pages) files.set(page.path, text(page, site, forms));
  return site;
}

function pictureBytes(path: string): string | Uint8Array {
  if (path.endsWith('.svg')) return drawing(path);
  return path.endsWith('.JPG') ? JPEG : PNG;
}

/** The site's address, ends with a slash. */
export const addressOf = ({ origin, base }: Pick<SiteOptions, 'origin' | 'base'>): string => origin + base;

interface Forms {
  next(target: string): LinkForm;
}

/** Gives every form its turn, so that a site of some size has them all. */
function formsInTurn({ options }: GeneratedSite): Forms {
  const drawn = random(`forms ${options.seed}`);
  const wanted = options.linkForms ?? [...PAGE_FORM_NAMES, ...FOLDER_FORM_NAMES];
  const forPages = drawn.shuffled(PAGE_FORM_NAMES.filter((form) => wanted.includes(form)));
  const forFolders = drawn.shuffled(FOLDER_FORM_NAMES.filter((form) => wanted.includes(form)));
  const turns = { page: 0, folder: 0 };
  const turn = (forms: readonly LinkForm[], kind: keyof typeof turns): LinkForm =>
    forms[turns[kind]++ % forms.length] ?? 'relative';
  return {
    next: (target) => {
      const folder = target.endsWith('index.md') && forFolders.length > 0 && drawn.chance(0.7);
      return folder ? turn(forFolders, 'folder') : turn(forPages, 'page');
    },
  };
}

function text({ path, language, plan: own }: SitePage, site: GeneratedSite, forms: Forms): string {
  const { options, plan: planned } = site;
  const prefix = prefixOf(language, options);
  // Drawn from the page's place alone: the same in every language.
  const drawn = random(`links ${options.seed} ${own.path}`);
  const seedOf = (page: PagePlan): string => `${options.seed} ${page.path}`;
  const targets = [...childrenOf(own.path, planned), drawn.pick(planned.pages), drawn.pick(planned.pages)];
  const links = targets.map((target, at) => {
    const anchored = at >= targets.length - 2 && drawn.chance(0.6);
    const anchor = anchored ? { anchor: anchorIn(seedOf(target), language, drawn) } : {};
    const title = `${WORDS[language].titles[target.title]} ${at + 1}`;
    return {
      target: { path: prefix + target.path, text: title, ...anchor },
      form: forms.next(target.path),
    };
  });
  return pageText({
    from: path,
    address: addressOf(options),
    language,
    seed: seedOf(own),
    title: own.title,
    links,
    pictures: site.pictures,
    download: site.download,
  });
}

/** A folder's index leads to its pages and to the indexes of the folders in it. */
function childrenOf(path: string, { pages }: SitePlan): PagePlan[] {
  if (!/(?:^|\/)index\.md$/.test(path)) return [];
  const folder = path.replace(/index\.md$/, '');
  return pages.filter(
    (page) =>
      page.path !== path &&
      /^(?:[^/]+|[^/]+\/index\.md)$/.test(page.path.slice(folder.length)) &&
      page.path.startsWith(folder),
  );
}

/** Headings, nested lists, reference links, raw HTML, comments and code, as navigations have. */
function navigationText({ options, plan: planned, navigation }: GeneratedSite, language: Language): string {
  const words = WORDS[language];
  const prefix = prefixOf(language, options);
  const drawn = random(`navigation ${options.seed}`);
  const place = { from: prefix + navigation, address: addressOf(options) };
  const tops = planned.pages.slice(1).filter(({ path }) => /^[^/]+(?:\/index\.md)?$/.test(path));
  const items = tops.map((page, at) => {
    const form = page.path.endsWith('/index.md') ? drawn.pick(FOLDER_FORM_NAMES) : drawn.pick(PAGE_FORM_NAMES);
    const target = { path: prefix + page.path, text: `${words.titles[page.title]} ${at + 1}` };
    return writeLink(form, target, place);
  });
  const list = items.map(({ markdown }, at) => `${at % 3 === 1 ? '  ' : ''}- ${markdown}`);
  return `${[
    `# ${words.manual}`,
    `- [${words.home}][home]`,
    `## ${words.contents}`,
    list.join('\n'),
    `<!-- [${words.home}](#/${prefix}decoy/comment.md) -->`,
    `\`[${words.home}](#/decoy/code.md)\``,
    `<ul class="outside">\n  <li><a href="https://example.com/decoy/">↗</a></li>\n</ul>`,
    `[home]: #/${prefix}index.md`,
    ...new Set(items.flatMap(({ definition }) => definition ?? [])),
  ].join('\n\n')}\n`;
}

/** The agent index, in the default language. */
function agentIndex({ options, plan: planned }: GeneratedSite): string {
  const words = WORDS[options.languages[0] ?? 'en'];
  const drawn = random(`llms ${options.seed}`);
  const ways = ['', options.base, addressOf(options)];
  const way = drawn.pick(ways);
  const items = planned.pages.map(
    ({ path, title }) => `- [${words.titles[title]}](${way}${encodedPath(path)}): ${words.sentences[title % 6]}`,
  );
  return `# ${words.manual}\n\n> ${words.sentences[0]}\n\n## ${words.contents}\n\n${items.join('\n')}\n`;
}

function configuration(site: GeneratedSite, drawn: Random): string {
  const { languages } = site.options;
  const locales = languages.map((code, at) => ({
    code,
    label: WORDS[code].label,
    isDefault: at === 0,
    prefix: prefixOf(code, site.options).replace(/\/$/, ''),
  }));
  return `${JSON.stringify(
    {
      title: 'Lighthouse handbook',
      theme: 'light',
      llmsTxtUrl: drawn.pick(['/llms.txt', 'llms.txt']),
      ...(drawn.chance(0.5) ? { homePage: 'index.md' } : {}),
      ...(site.navigation === 'navigation.md' ? {} : { navigationFile: site.navigation }),
      logo: drawn.pick(['assets/logo.svg', '/assets/logo.svg', './assets/logo.svg']),
      favicon: site.bundle.icon,
      customCss: 'assets/custom.css',
      ...(languages.length > 1 ? { locales } : {}),
      search: { enabled: true, placeholder: 'Search', depth: 3 },
      footer: WORDS[languages[0] ?? 'en'].sentences.join(' '),
    },
    null,
    2,
  )}\n`;
}

const ROBOTS = [
  'User-agent: *\nAllow: /\n\n# Agents: see /llms.txt\n',
  'User-agent: *\nDisallow:\n',
  'User-agent: *\nDisallow: /private/\nDisallow: /*?print=\n\nUser-agent: GPTBot\nUser-agent: ClaudeBot\nAllow: /\n\nSitemap: https://example.com/sitemap.xml\n',
  '\uFEFFuser-agent: *\r\ndisallow: /drafts\r\nallow: /drafts/public\r\n',
];
