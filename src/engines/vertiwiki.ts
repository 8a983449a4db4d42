import { posix } from 'node:path';
import { readSettings, type EngineProfile, type LinkPlace, type WrittenLink } from './engine.ts';
import { hrefOfPath, isMarkdownPath, resolveLink, type Link } from './link.ts';

/** The first version whose source was read: it catches a `config.json` that is missing or broken. */
const READ_FROM = '0.4.1';

/** VertiWiki (https://github.com/Octadira/vertiwiki, versions 0.4.1, 0.5.1 and 0.9.0). */
export const vertiwiki: EngineProfile = {
  id: 'vertiwiki',
  recognise: (bundle) => {
    const [, version = null] = /\bVertiWiki v?(\d+\.\d+\.\d+)/i.exec(bundle) ?? [];
    return version !== null || /vertiwiki|verti-app/i.test(bundle) ? version : undefined;
  },
  files: { homePage: 'index.md', navigationFile: 'navigation.md', llmsTxtUrl: 'llms.txt' },
  configuration: (version) =>
    version !== null && version.localeCompare(READ_FROM, 'en', { numeric: true }) < 0 ? 'required' : 'optional',
  navigation: 'required',
  llmsTxt: 'required',
  localeFolder,
  sharesNavigation: true,
  configure: ({ configuration }) => ({
    settings: readSettings(configuration),
    links: {
      dialect: 'wikilinks',
      menuDialect: 'items',
      resolve: resolveOwn,
      routeTo: (path) => `#/${hrefOfPath(path)}`,
    },
  }),
};

/**
 * As `switchLanguage` in its `src/core/router.ts` and `loadNavigationForLocale` in its `src/main.ts`: beside
 * `docs/index.md` and `docs/navigation.md`, those of `ro` are in `docs/ro`.
 */
function localeFolder(prefix: string, beside: string): string {
  const folder = beside.slice(0, beside.lastIndexOf('/') + 1);
  return prefix.startsWith(folder) ? prefix : (folder + prefix).replace(/\/$/, '');
}

const PAGE = /\.(?:md|markdown|mdown)$/i;
const EXTENSION = /\.[a-z\d]+$/i;

/** As `resolvePath` and `transformLinks` of its router do, and `parseNavigationMarkdown` for the navigation. */
function resolveOwn(link: WrittenLink, from: LinkPlace): Link {
  const { url, kind } = link;
  const { path, menu } = from;
  const [file = ''] = url.split('#', 1);
  const isOwn = !/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(url) && file !== '';
  if (!isOwn) return resolveLink(link, from, { filesFrom: 'bundle' });
  const fromBundle = (text: string): Link => resolveLink({ url: text, kind }, { ...from, path: '' });
  const whole = wholePath(file, path);
  if (kind === 'image') return fromBundle(whole);
  // The navigation leads to routes only, whatever file they name; on pages the browser follows what is no page.
  const isPage = PAGE.test(file) || !(menu ? EXTENSION.test(whole) : file.includes('.'));
  if (!isPage) return fromBundle(menu ? whole : url);
  const rest = url.slice(file.length);
  return withSibling(fromBundle(PAGE.test(file) ? whole + rest : `${whole}/index.md${rest}`), from.base);
}

/** The path below the root; one that begins with the folder of its page is already whole. */
function wholePath(file: string, path: string): string {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const isWhole = file.startsWith('/') || (folder !== '' && (file.startsWith(folder) || `${file}/` === folder));
  return posix.resolve('/', isWhole ? file : folder + file).slice(1);
}

/** Where `x/index.md` is missing, version 0.5 shows `x.md`, and the other way round. */
function withSibling(link: Link, base: URL): Link {
  if (link.kind !== 'page' || !isMarkdownPath(link.path)) return link;
  const sibling = (text: string): string =>
    text.endsWith('/index.md') ? text.replace(/\/index\.md$/, '.md') : text.replace(/\/?\.md$/, '/index.md');
  const other = { path: sibling(link.path), url: sibling(link.url) };
  return other.path === link.path || !other.url.startsWith(base.href)
    ? link
    : { ...link, others: [other, ...(link.others ?? [])] };
}
