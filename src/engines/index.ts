/** The engines that docvitals knows. A new one is a file here, a line in this list, and its name in `engine.ts`. */
import { ENGINE_NAMES, readSettings, type Engine, type EngineId, type EngineProfile } from './engine.ts';
import { docsify } from './docsify.ts';
import { hrefOfPath, resolveLink } from './link.ts';
import { mdwiki } from './mdwiki.ts';
import { vertiwiki } from './vertiwiki.ts';

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
      resolve: (link, from) => resolveLink(link, from, { filesFrom: 'either' }),
      routeTo: (path) => `#/${hrefOfPath(path)}`,
    },
  }),
};

export const ENGINES: readonly EngineProfile[] = [vertiwiki, mdwiki, docsify, generic];

/** The engine of a bundle; `null`: none that is known. */
export function recogniseEngine(bundle: string): Engine | null {
  for (const profile of ENGINES) {
    const version = profile.recognise(bundle);
    if (version !== undefined) return { profile, version, assumed: false };
  }
  return null;
}

/** `VertiWiki 0.5.1`. */
export function engineName({ profile, version }: Engine): string {
  const name = ENGINE_NAMES[profile.id];
  return version === null ? name : `${name} ${version}`;
}

/** The engine that the user named, with the version that the bundle has; or the one that the bundle shows. */
export function engineOf(bundle: string, named: EngineId | null): Engine {
  const profile = ENGINES.find(({ id }) => id === named);
  if (profile !== undefined) return { profile, version: profile.recognise(bundle) ?? null, assumed: false };
  return recogniseEngine(bundle) ?? { profile: generic, version: null, assumed: true };
}
