import path from 'node:path';
import { parseBaseUrl } from '../base-url.ts';
import { below, readText } from './files.ts';
import { findHosts, type HostSign } from './hosts.ts';
import { findPagesJob, type PagesJob } from './pages-job.ts';
import { pagesUrl } from './remote.ts';
import { findRepository, type Repository } from './repository.ts';
import { findSite, type SiteFolder } from './site-folder.ts';

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
  /** Addresses that the site may have, the likeliest first. */
  readonly urls: readonly string[];
}

/** Looks at a folder that exists (an absolute path). Reads only; never rejects over what is in it. */
export async function lookAt(folder: string): Promise<Seen> {
  const repository = await findRepository(folder).catch(() => null);
  const prefix = repository === null ? '' : prefixOf(repository.root, folder);
  const pagesJob = repository === null ? null : await findPagesJob(repository.root);
  const declared = await findHosts(folder, ['.']);
  const uploaded = pagesJob?.folder ?? null;
  const fromJob = uploaded === null ? [] : [path.posix.relative(prefix, uploaded)];
  const site = await findSite(folder, [...fromJob, ...declared.flatMap((sign) => sign.folder ?? [])]);
  const signs = site === null || site.folder === '.' ? declared : await findHosts(folder, ['.', site.folder]);
  const hosts = pagesJob === null ? signs : [ofPagesJob(pagesJob), ...signs];
  const urls = [
    ...hosts.flatMap((sign) => sign.url ?? []),
    ...(await homepage(folder)),
    ...pagesGuess(repository, hosts),
  ];
  return { folder, repository, prefix, site, hosts, pagesJob, urls: [...new Set(urls)] };
}

/** `below` of the real folder, so that a symbolic link in between does not matter. */
function prefixOf(root: string, folder: string): string {
  const prefix = below(root, folder);
  return prefix === '.' || prefix.startsWith('..') ? '' : prefix;
}

const ofPagesJob = ({ file }: PagesJob): HostSign => ({ provider: 'GitHub Pages', kind: 'server', file });

/** `homepage` of package.json, unless it leads to where the code is. */
async function homepage(folder: string): Promise<readonly string[]> {
  const text = await readText(path.join(folder, 'package.json'));
  try {
    const { homepage: given } = Object(JSON.parse(text ?? 'null')) as { homepage?: unknown };
    const site = parseBaseUrl(typeof given === 'string' ? given : '');
    if (!site.ok || /(?:^|\.)(?:github|gitlab|npmjs|bitbucket)\.(?:com|org)$/.test(site.base.hostname)) return [];
    return [site.base.href];
  } catch {
    return [];
  }
}

/** The address that the forge gives to pages, where nothing says that another host serves them. */
function pagesGuess(repository: Repository | null, hosts: readonly HostSign[]): readonly string[] {
  const remote = repository?.remote ?? null;
  if (remote === null || hosts.some(({ provider }) => !/^Git(?:Hub|Lab) Pages$/.test(provider))) return [];
  const url = pagesUrl(remote);
  return url === null ? [] : [url];
}
