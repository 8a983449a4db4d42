import path from 'node:path';
import { below, namesIn, readText } from './files.ts';

/** Engines that show Markdown in the browser. */
export type Engine = 'VertiWiki' | 'MDwiki' | 'docsify';

/** A folder that looks like the site. */
export interface SiteFolder {
  /** Relative to the folder that was looked at, with forward slashes; `.` for itself. */
  readonly folder: string;
  /** `null`: one that is not known. */
  readonly engine: Engine | null;
  /** It holds a `version.json` of its own. */
  readonly hasVersion: boolean;
}

/** Where sites usually are, the likeliest first. */
const USUAL = ['.', 'docs', 'public', 'site', 'website', 'www', 'doc', 'documentation', 'dist', 'build', '_site'];

const ENGINES: readonly (readonly [Engine, RegExp])[] = [
  ['VertiWiki', /vertiwiki/i],
  ['MDwiki', /mdwiki/i],
  ['docsify', /docsify/i],
];

/** Files that a site of Markdown has beside its bundle; docsify's begin with an underscore. */
const CONTENT =
  /^(?:config\.json|navigation\.md|_sidebar\.md|_coverpage\.md|_navbar\.md|index\.md|home\.md|readme\.md|llms\.txt)$/i;

/** Folders that hold several projects, or several documentations, of which the site may be one. */
const NESTS = ['packages', 'apps', 'docs'];

/**
 * Looks for the site below a folder: first where a host's configuration says that it is (`declared`), then where sites
 * usually are, then in the folders beside, then one level deeper. `null`: no `index.html` that has Markdown with it.
 */
export async function findSite(root: string, declared: readonly string[]): Promise<SiteFolder | null> {
  const beside = await foldersIn(root, '.');
  const deeper = (await Promise.all(NESTS.map((nest) => foldersIn(root, nest)))).flat();
  let plain: SiteFolder | null = null;
  for (const folder of new Set(
    [...declared, ...USUAL, ...beside, ...deeper].map((name) => path.posix.normalize(name)),
  )) {
    const found = await siteIn(root, folder.replace(/(?<=.)\/$/, ''));
    // One without an engine that is known, such as an application of another kind, counts only where there is no other.
    if (found !== null && found.engine !== null) return found;
    plain ??= found;
  }
  return plain;
}

/** What may be a folder with a site in it, those with a usual name first. */
async function foldersIn(root: string, folder: string): Promise<readonly string[]> {
  const names = await namesIn(path.join(root, folder));
  const rank = (name: string): number => (USUAL.includes(name) ? USUAL.indexOf(name) : USUAL.length);
  return names
    .filter((name) => !name.startsWith('.') && name !== 'node_modules')
    .toSorted((a, b) => rank(a) - rank(b))
    .map((name) => path.posix.join(folder, name));
}

async function siteIn(root: string, folder: string): Promise<SiteFolder | null> {
  if (folder.startsWith('..') || path.posix.isAbsolute(folder)) return null;
  const place = path.join(root, folder);
  const names = await namesIn(place);
  if (!names.includes('index.html') || !names.some((name) => CONTENT.test(name))) return null;
  const bundle = (await readText(path.join(place, 'index.html'))) ?? '';
  return {
    folder: below(root, place),
    engine: ENGINES.find(([, sign]) => sign.test(bundle))?.[0] ?? null,
    hasVersion: names.includes('version.json'),
  };
}
