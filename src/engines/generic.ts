import { readSettings, type EngineProfile } from './engine.ts';
import { hrefOfPath, resolveLink } from './link.ts';

/** The service that the core checks are declared for: a bundle, a configuration, a navigation, a home page, an agent index. */
export const generic: EngineProfile = {
  id: 'generic',
  recognise: () => undefined,
  files: { homePage: 'index.md', navigationFile: 'navigation.md', llmsTxtUrl: 'llms.txt' },
  configuration: () => 'required',
  navigation: 'required',
  llmsTxt: 'required',
  configure: ({ configuration }) => ({
    settings: readSettings(configuration),
    links: {
      resolve: ({ url, kind }, { path, base, home }) =>
        resolveLink(url, path, base, { home, filesFrom: 'either', image: kind === 'image' }),
      routeTo: (path) => `#/${hrefOfPath(path)}`,
    },
  }),
};
