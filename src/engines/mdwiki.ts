import { readSettings, type EngineProfile } from './engine.ts';
import { hrefOfPath, resolveLink } from './link.ts';

/** The name that the engine's file has until it is renamed, before a route. */
const OWN_FILE = /^(?:\.?\/)?mdwiki[\w-]*\.html(?=#!)/i;

/** The route that its code opens where the address has none: `"#!"===hash?next="#!index.md"`. */
const HOME_ROUTE = /(?:==\s*(["'])#!\1|(["'])#!\2\s*==)[^"']{1,80}(["'])#!([^"'#?]{1,200}\.\w{1,10})\3/;

/**
 * MDwiki (https://github.com/Dynalon/mdwiki, branches 0.6.x and master). It has its defaults without `config.json` and
 * no menu without `navigation.md`; it knows neither `homePage` nor `navigationFile`. Authors change the home page in
 * their copy of its code.
 */
export const mdwiki: EngineProfile = {
  id: 'mdwiki',
  recognise: (bundle) => {
    const [, version = null] = /\bMDwiki v?(\d+\.\d+(?:\.\d+)?)/i.exec(bundle) ?? [];
    return version !== null || /\$\.initMDwiki|<title>\s*MDwiki\s*<\/title>|id="md-all"/i.test(bundle)
      ? version
      : undefined;
  },
  files: { homePage: 'index.md', navigationFile: 'navigation.md', llmsTxtUrl: 'llms.txt' },
  configuration: () => 'optional',
  navigation: 'optional',
  // It puts what came into the page and takes it apart. Seen in Chromium with 0.6.2 and 0.7.0.
  htmlNavigation: 'blank',
  llmsTxt: 'optional',
  // The icon that its page names, and the font of the Bootstrap in it, which is looked for above the page: it has neither.
  isOptionalPart: ({ pathname }) =>
    /\/(?:favicon\.(?:png|ico)|fonts\/glyphicons-halflings-regular\.\w+)$/.test(pathname),
  configure: ({ bundle, configuration }) => {
    const { llmsTxtUrl } = readSettings(configuration);
    const homePage = HOME_ROUTE.exec(bundle)?.[4] ?? mdwiki.files.homePage;
    return {
      settings: {
        ...(llmsTxtUrl === undefined ? {} : { llmsTxtUrl }),
        ...(homePage === mdwiki.files.homePage ? {} : { homePage }),
      },
      obeysCharset: true,
      links: {
        dialect: 'loose',
        // The menu's links start at the bundle, wherever the page is; the menu itself is beside the bundle.
        resolve: (link, from) =>
          resolveLink({ ...link, url: link.url.replace(OWN_FILE, '') }, from, { servesFolders: true }),
        routeTo: (path) => `#!${hrefOfPath(path)}`,
      },
    };
  },
};
