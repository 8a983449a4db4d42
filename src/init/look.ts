import path from 'node:path';
import { below } from './files.ts';
import { findHosts, type HostSign } from './hosts.ts';
import { readPackage } from './package.ts';
import { findPagesJob, type PagesJob } from './pages-job.ts';
import { pagesUrl } from './remote.ts';
import { findRepository, type Repository } from './repository.ts';
import { findSite, type SiteFolder } from './site-folder.ts';

/** An address that the site may have. */
export interface FoundUrl {
  readonly url: string;
  /** The file that says so; for a guess the provider that usually gives such an address. */
  readonly origin: string;
  readonly isGuess: boolean;
}

/** What was found in and around a folder. */
export interface Seen {
  /** The folder, an absolute path. */
  readonly folder: string;
  readonly repository: Repository | null;
  /** The folder's path below the root of the repository, with forward slashes; empty where it is the root, or there is none. */
  readonly prefix: string;
  readonly site: SiteFolder | null;
  /** The surest first. */
  readonly hosts: readonly HostSign[];
  readonly pagesJob: PagesJob | null;
  /** A script of package.json pushes to GitHub Pages, and no workflow runs it. */
  readonly isPushedByHand: boolean;
  /** The likeliest first. */
  readonly urls: readonly FoundUrl[];
}

/** Looks at a folder that exists (an absolute path). Reads only; never rejects over what is in it. */
export async function lookAt(folder: string): Promise<Seen> {
  const repository = await findRepository(folder).catch(() => null);
  const prefix = repository === null ? '' : prefixOf(repository.root, folder);
  const { homepage, pagesScripts } = await readPackage(folder);
  const pagesJob = repository === null ? null : await findPagesJob(repository.root, pagesScripts);
  const isPushedByHand = pagesJob === null && pagesScripts.length > 0;
  const declared = await findHosts(folder, ['.']);
  const uploaded = pagesJob?.folder ?? null;
  const fromJob = uploaded === null ? [] : [path.posix.relative(prefix, uploaded)];
  const site = await findSite(folder, [...fromJob, ...declared.flatMap((sign) => sign.folder ?? [])]);
  const around = site === null ? [] : [path.posix.dirname(site.folder), site.folder];
  const signs = [...new Set(around)].some((one) => one !== '.') ? await findHosts(folder, ['.', ...around]) : declared;
  const hosts = [
    ...(pagesJob === null ? [] : [pagesSign(pagesJob.file)]),
    ...signs,
    ...(isPushedByHand ? [pagesSign('package.json')] : []),
  ];
  const urls = [
    ...hosts.flatMap(({ url, file }) => (url === undefined ? [] : [{ url, origin: file, isGuess: false }])),
    ...(homepage === null ? [] : [{ url: homepage, origin: 'package.json', isGuess: false }]),
    ...pagesGuess(repository, hosts),
  ];
  return { folder, repository, prefix, site, hosts, pagesJob, isPushedByHand, urls };
}

/** `below` of the real folder, so that a symbolic link in between does not matter. */
function prefixOf(root: string, folder: string): string {
  const prefix = below(root, folder);
  return prefix === '.' || prefix.startsWith('..') ? '' : prefix;
}

const pagesSign = (file: string): HostSign => ({ provider: 'GitHub Pages', kind: 'server', file });

/** The address that the forge gives to pages, where nothing says that another host serves them. */
function pagesGuess(repository: Repository | null, hosts: readonly HostSign[]): readonly FoundUrl[] {
  const remote = repository?.remote ?? null;
  if (remote === null || hosts.some(({ provider }) => !/^Git(?:Hub|Lab) Pages$/.test(provider))) return [];
  const url = pagesUrl(remote);
  const origin = remote.forge === 'gitlab' ? 'GitLab Pages' : 'GitHub Pages';
  return url === null ? [] : [{ url, origin, isGuess: true }];
}
