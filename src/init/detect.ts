/** What is known of a project by its files: its repository, where its site is, who hosts it, how it is deployed. */
import { createReadStream } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { parseBaseUrl } from '../core/base-url.ts';
import type { HostKind } from '../site/host-product.ts';
import { engineName, recogniseEngine } from '../engines/index.ts';
import { parseJson } from '../parse/json.ts';
import { git as runGit, gitEnvironment } from '../source/git.ts';
import { WORKFLOW_FILES } from './options.ts';
import { REPOSITORY } from '../core/version.ts';

export interface DetectedUrl {
  readonly url: string;
  /** The file that contains it; for a guess the provider that usually gives such an address. */
  readonly origin: string;
  readonly isGuess: boolean;
}

export type Project = Awaited<ReturnType<typeof detectProject>>;

/** `folder`: an absolute path that exists. Never rejects because of its contents. */
export async function detectProject(folder: string) {
  const repository = await findRepository(folder).catch(() => null);
  const prefix = repository === null ? '' : prefixOf(repository.root, folder);
  const { homepage, pushesPages } = await readPackage(folder);
  const pagesJob = repository === null ? null : await findPagesJob(repository.root);
  // A script of package.json pushes to GitHub Pages, and no workflow does.
  const isPushedByHand = pagesJob === null && pushesPages;
  const configured = await findHosts(folder, ['.']);
  const uploaded = pagesJob?.folder ?? null;
  const fromJob = uploaded === null ? [] : [path.posix.relative(prefix, uploaded)];
  const site = await findSite(folder, [...fromJob, ...configured.flatMap((host) => host.folder ?? [])]);
  const around = site === null ? [] : [path.posix.dirname(site.folder), site.folder];
  const found = around.some((name) => name !== '.') ? await findHosts(folder, ['.', ...around]) : configured;
  // The most certain first.
  const hosts = [
    ...(pagesJob === null ? [] : [githubPages(pagesJob.file)]),
    ...found,
    ...(isPushedByHand ? [githubPages('package.json')] : []),
  ];
  // The most likely first.
  const urls = [
    ...hosts.flatMap(({ url, file }) => (url === undefined ? [] : [{ url, origin: file, isGuess: false }])),
    ...(homepage === null ? [] : [{ url: homepage, origin: 'package.json', isGuess: false }]),
    ...guessedUrl(repository, hosts),
  ];
  return { folder, repository, prefix, site, hosts, pagesJob, isPushedByHand, urls };
}

/** The folder below the root of the repository, with forward slashes; empty for the root. */
function prefixOf(root: string, folder: string): string {
  const prefix = relativePath(root, folder);
  return prefix === '.' || prefix.startsWith('..') ? '' : prefix;
}

const githubPages = (file: string): DetectedHost => ({ provider: 'GitHub Pages', kind: 'server', file });

/** The address that the forge gives to pages, unless another host was detected. */
function guessedUrl(repository: Repository | null, hosts: readonly DetectedHost[]): readonly DetectedUrl[] {
  const remote = repository?.remote ?? null;
  if (remote === null || hosts.some(({ provider }) => !/^Git(?:Hub|Lab) Pages$/.test(provider))) return [];
  const url = pagesUrl(remote);
  const origin = remote.forge === 'gitlab' ? 'GitLab Pages' : 'GitHub Pages';
  return url === null ? [] : [{ url, origin, isGuess: true }];
}

const USUAL = ['.', 'docs', 'public', 'site', 'website', 'www', 'doc', 'documentation', 'dist', 'build', '_site'];

/** Files beside the bundle of a Markdown site; those of docsify begin with an underscore. */
const CONTENT =
  /^(?:config\.json|navigation\.md|_sidebar\.md|_coverpage\.md|_navbar\.md|index\.md|home\.md|readme\.md|llms\.txt)$/i;

/** Folders that may hold several projects or sites. */
const PARENTS = ['packages', 'apps', 'docs'];

/**
 * Finds a folder with an `index.html` and Markdown: in the folders that a host's configuration names (`configured`),
 * then in the usual ones, then in all others, then one level deeper.
 */
async function findSite(root: string, configured: readonly string[]): Promise<SiteFolder | null> {
  const beside = await foldersIn(root, '.');
  const deeper = (await Promise.all(PARENTS.map((parent) => foldersIn(root, parent)))).flat();
  const isTrial = (name: string): boolean => TRIALS.test(name);
  const guessed = [...USUAL, ...beside, ...deeper].toSorted((a, b) => Number(isTrial(a)) - Number(isTrial(b)));
  const names = [...configured, ...guessed].map((name) => path.posix.normalize(name));
  let unknownEngine: SiteFolder | null = null;
  for (const folder of new Set(names)) {
    const found = await siteIn(root, folder.replace(/(?<=.)\/$/, ''));
    // Without a known engine it may be an application of another kind.
    if (found !== null && found.engine !== null) return withVersions(root, found);
    unknownEngine ??= found;
  }
  return unknownEngine;
}

/** `3.1`, `v2`, `4.x` */
const VERSION = /^v?\d{1,4}(?:\.(?:\d{1,4}|x)){0,2}$/i;

/** A site in a folder that is named after a version: the newest of those beside it. */
async function withVersions(root: string, found: SiteFolder): Promise<SiteFolder> {
  if (!VERSION.test(path.posix.basename(found.folder))) return found;
  const names = await foldersIn(root, path.posix.dirname(found.folder));
  const versions = names.filter((name) => VERSION.test(path.posix.basename(name)));
  const read = await Promise.all(versions.slice(0, 50).map((name) => siteIn(root, name)));
  const sites = read.filter((site): site is SiteFolder => typeof site?.engine === 'string');
  const collator = new Intl.Collator('en', { numeric: true });
  const [newest = found, ...others] = sites.toSorted((a, b) => collator.compare(b.folder, a.folder));
  return { ...newest, otherVersions: others.map(({ folder }) => folder) };
}

const TRIALS = /(?:^|\/)(?:tests?|spec|fixtures?|examples?|demos?|samples?|templates?)(?:\/|$)/i;

/** The visible names in a folder, the usual ones first. */
async function foldersIn(root: string, folder: string): Promise<readonly string[]> {
  const names = await namesIn(path.join(root, folder));
  const rank = (name: string): number => (USUAL.includes(name) ? USUAL.indexOf(name) : USUAL.length);
  return names
    .filter((name) => !name.startsWith('.') && name !== 'node_modules')
    .toSorted((a, b) => rank(a) - rank(b))
    .map((name) => path.posix.join(folder, name));
}

type SiteFolder = NonNullable<Awaited<ReturnType<typeof siteIn>>>;

async function siteIn(root: string, name: string) {
  if (name.startsWith('..') || path.posix.isAbsolute(name)) return null;
  const folder = path.join(root, name);
  const names = await namesIn(folder);
  if (!names.includes('index.html') || !names.some((file) => CONTENT.test(file))) return null;
  const engine = recogniseEngine((await readText(path.join(folder, 'index.html'))) ?? '');
  return {
    /** Relative to the folder of the project, with forward slashes; `.` for that folder. */
    folder: relativePath(root, folder),
    /** `docsify 4`; `null`: none that is known. */
    engine: engine === null ? null : engineName(engine),
    /** Folders beside it that hold other versions of the site, newest first. */
    otherVersions: [] as readonly string[],
    hasVersion: names.includes('version.json'),
  };
}

export interface DetectedHost {
  readonly provider: string;
  /** `null`: it follows the rules of none of the kinds. */
  readonly kind: HostKind | null;
  readonly file: string;
  readonly folder?: string;
  readonly url?: string;
}

type Named = Pick<DetectedHost, 'folder' | 'url'>;

/** Files of hosts, the most certain first. `read`: what the file names; `null`: it is not a file of that host. */
const HOST_FILES: readonly (readonly [
  name: RegExp,
  provider: string,
  kind: HostKind | null,
  read?: (text: string) => Named | null,
])[] = [
  [/^vercel\.(?:json|toml|ts)$/, 'Vercel', 'platform', (text) => folderOf('outputDirectory', text)],
  [/^netlify\.toml$/, 'Netlify', 'platform', (text) => folderOf('publish', text)],
  [/^wrangler\.(?:toml|jsonc?)$/, 'Cloudflare Pages', 'platform', readPages],
  [/^wrangler\.(?:toml|jsonc?)$/, 'Cloudflare Workers', 'worker', readWorker],
  [/^firebase\.json$/, 'Firebase Hosting', null, (text) => folderOf('public', text)],
  [/^staticwebapp\.config\.json$/, 'Azure Static Web Apps', null],
  [/^CNAME$/, 'GitHub Pages', 'server', (text) => (isHostName(text.trim()) ? urlOf(text.trim().toLowerCase()) : null)],
  [/^\.nojekyll$/, 'GitHub Pages', 'server'],
  [/^\.gitlab-ci\.yml$/, 'GitLab Pages', 'server', (text) => (/^pages:/m.test(text) ? {} : null)],
  [/\.conf$/, 'nginx', 'server', readNginx],
  [/^(?:Dockerfile|Containerfile)$/, 'nginx', 'server', (text) => (/^FROM\s+\S*nginx/im.test(text) ? {} : null)],
  [/^Caddyfile$/, 'Caddy', 'server'],
  [/^\.htaccess$/, 'Apache', 'server'],
  [/^_redirects$/, 'Netlify', 'platform'],
];

const SERVER_FOLDERS = ['nginx', 'deploy', 'conf', 'docker'];

async function findHosts(root: string, folders: readonly string[]): Promise<readonly DetectedHost[]> {
  const listing = [...new Set([...folders, ...SERVER_FOLDERS])].map(async (folder) =>
    (await namesIn(path.join(root, folder))).map((name) => path.posix.join(folder, name)),
  );
  const files = (await Promise.all(listing)).flat();
  const hosts = new Map<string, DetectedHost>();
  for (const [pattern, provider, kind, read = () => ({})] of HOST_FILES) {
    for (const file of files) {
      if (hosts.has(file) || !pattern.test(path.posix.basename(file))) continue;
      const text = await readText(path.join(root, file));
      const named = text === null ? null : read(text);
      if (named !== null) hosts.set(file, { provider, kind, file, ...named });
    }
  }
  return [...hosts.values()];
}

const COMMENTS = /^[ \t]*(?:#|\/\/)[^\n]*/gm;

/** The value of a key in JSON, TOML or YAML, if it is plain text. */
function valueOf(key: string, text: string): string | undefined {
  const value = new RegExp(`(?<![\\w-])${key}["']?[ \\t]{0,20}[:=][ \\t]{0,20}["']?([^"'\\s,#{}[\\]]{1,500})`);
  return value.exec(text.replaceAll(COMMENTS, ''))?.[1];
}

function folderOf(key: string, text: string): Named {
  const folder = valueOf(key, text);
  return folder === undefined ? {} : { folder };
}

function urlOf(host: string | undefined): Named {
  return host !== undefined && isHostName(host) ? { url: `https://${host}/` } : {};
}

function readPages(text: string): Named | null {
  const folder = valueOf('pages_build_output_dir', text);
  return folder === undefined ? null : { folder };
}

function readWorker(text: string): Named {
  const host = text.includes('custom_domain') ? valueOf('pattern', text) : undefined;
  return { ...folderOf('directory', text), ...urlOf(host) };
}

function readNginx(text: string): Named | null {
  const directives = text.replaceAll(/#[^\n]*/g, '');
  if (!/\bserver\s*\{/.test(directives)) return null;
  const names = /\bserver_name\s([^;]{1,2000});/.exec(directives)?.[1]?.trim().split(/\s+/) ?? [];
  return urlOf(names.find(isHostName));
}

function isHostName(text: string): boolean {
  return text.length < 254 && /^[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/i.test(text);
}

/* Deployments to GitHub Pages that a project already has: in workflows and in package.json. */

/** A command that pushes to the branch of GitHub Pages, and the folder that it names. */
const PUSHES_PAGES =
  /(?<![\w-])gh-pages[ \t][^\n]{0,200}?(?:-d|--dist)(?:[ \t]+|=)["']?([^\s"']+)|\bgit\b[^\n]{0,200}?\bpush\b[^\n]{0,200}?\bgh-pages\b/;

const isPagesPush = (command: unknown): boolean => typeof command === 'string' && PUSHES_PAGES.test(command);

/**
 * What package.json says: `homepage`, unless that is the address of the code, and whether a script pushes to GitHub Pages.
 */
async function readPackage(folder: string) {
  const parsed = parseJson((await readText(path.join(folder, 'package.json'))) ?? '');
  const { homepage, scripts } = Object(parsed.ok ? parsed.value : null) as { homepage?: unknown; scripts?: unknown };
  const commands = Object.values(Object(scripts) as Record<string, unknown>);
  return { homepage: homepageOf(homepage), pushesPages: commands.some(isPagesPush) };
}

function homepageOf(homepage: unknown): string | null {
  const site = parseBaseUrl(typeof homepage === 'string' ? homepage : '');
  if (!site.ok || /(?:^|\.)(?:github|gitlab|npmjs|bitbucket)\.(?:com|org)$/.test(site.base.hostname)) return null;
  return site.base.href;
}

/** Actions that deploy to GitHub Pages, in lower case, with the input that names the folder. */
const DEPLOYERS: Readonly<Record<string, string | null>> = {
  'actions/deploy-pages': null,
  'peaceiris/actions-gh-pages': 'publish_dir',
  'jamesives/github-pages-deploy-action': 'folder',
  'crazy-max/ghaction-github-pages': 'build_dir',
};

/** Finds a job that deploys to GitHub Pages, except our own. */
async function findPagesJob(root: string) {
  const folder = path.join(root, '.github/workflows');
  for (const name of (await namesIn(folder)).filter((file) => /\.ya?ml$/.test(file))) {
    const file = relativePath(root, path.join(folder, name));
    if (file === WORKFLOW_FILES.pages) continue;
    const text = (await readText(path.join(folder, name))) ?? '';
    const found = /pages/i.test(text) ? await readJob(text) : null;
    if (found !== null) return { file, ...found, isChecked: text.includes(`${REPOSITORY}@`) };
  }
  return null;
}

interface Step {
  readonly uses?: unknown;
  readonly run?: unknown;
  readonly with?: Readonly<Record<string, unknown>> | null;
}

/** `folder`: the deployed folder, if the workflow names it without an expression. */
async function readJob(text: string) {
  // The parser is large.
  const workflow = await import('yaml')
    .then(({ parse }): unknown => parse(text, { maxAliasCount: 100 }))
    .catch(() => null);
  const { jobs } = Object(workflow) as { jobs?: unknown };
  const steps = Object.entries(Object(jobs) as Record<string, unknown>).flatMap(([job, one]) =>
    stepsOf(one).map((step) => ({ job, step })),
  );
  const deploying = steps.find(({ step }) => deploys(step));
  if (deploying === undefined) return null;
  const upload = steps.find(({ step }) => actionOf(step) === 'actions/upload-pages-artifact');
  const folder = deployedBy(deploying.step) ?? upload?.step.with?.['path'];
  return { job: deploying.job, folder: typeof folder === 'string' && !folder.includes('$') ? folder : null };
}

function stepsOf(job: unknown): readonly Step[] {
  const { steps } = Object(job) as { steps?: unknown };
  return Array.isArray(steps) ? steps.map((step) => Object(step) as Step) : [];
}

const actionOf = ({ uses }: Step): string => (typeof uses === 'string' ? uses.replace(/@.*$/s, '').toLowerCase() : '');

const deploys = (step: Step): boolean => Object.hasOwn(DEPLOYERS, actionOf(step)) || isPagesPush(step.run);

function deployedBy(step: Step): unknown {
  const input = DEPLOYERS[actionOf(step)] ?? null;
  if (input !== null) return step.with?.[input];
  return typeof step.run === 'string' ? PUSHES_PAGES.exec(step.run)?.[1] : undefined;
}

/* The Git repository of a folder, and its remote. */

const GIT_TIMEOUT_MS = 5_000;
const USUAL_BRANCHES = ['main', 'master'];

type Repository = NonNullable<Awaited<ReturnType<typeof findRepository>>>;

/** `null`: none. Its `remote` is `null` where there is none, or one on this machine. */
async function findRepository(folder: string) {
  const root = await topOf(await realpath(folder));
  if (root === null) return null;
  const names = (await git(root, ['remote']))?.split('\n') ?? [];
  const name = ['origin', 'upstream'].find((known) => names.includes(known)) ?? names[0];
  const [url, branch] = await Promise.all([
    name === undefined ? null : git(root, ['remote', 'get-url', '--', name]),
    branchOf(root, name ?? null),
  ]);
  return { root, remote: url === null ? null : parseRemote(url), branch };
}

/** The default branch of the remote, else a branch with a usual name, else the current one. */
async function branchOf(root: string, remote: string | null): Promise<string | null> {
  const head = remote === null ? null : await git(root, ['symbolic-ref', '--quiet', `refs/remotes/${remote}/HEAD`]);
  const own = `refs/remotes/${remote}/`;
  if (head?.startsWith(own)) return head.slice(own.length);
  const namespaces = ['refs/heads', ...(remote === null ? [] : [`refs/remotes/${remote}`])];
  const refs = namespaces.flatMap((prefix) => USUAL_BRANCHES.map((name) => `${prefix}/${name}`));
  const existing = (await git(root, ['for-each-ref', '--format=%(refname)', '--', ...refs]))?.split('\n') ?? [];
  const usual = USUAL_BRANCHES.find((name) => existing.some((ref) => ref.endsWith(`/${name}`)));
  return usual ?? git(root, ['symbolic-ref', '--short', 'HEAD']);
}

/** The nearest folder upwards with `.git`, which is a file in worktrees and submodules. */
async function topOf(folder: string): Promise<string | null> {
  const found = await lstat(path.join(folder, '.git')).catch(() => null);
  if (found !== null) return folder;
  const above = path.dirname(folder);
  return above === folder ? null : topOf(above);
}

/** The output of Git without white space around it; `null` if it fails or is missing. */
async function git(cwd: string, args: readonly string[]): Promise<string | null> {
  const options = { env: gitEnvironment(process.env), timeoutMs: GIT_TIMEOUT_MS };
  const run = await runGit(args, cwd, options).catch(() => null);
  return (run?.status === 0 && run.text()) || null;
}

type Remote = NonNullable<ReturnType<typeof parseRemote>>;

const NAME = /^[\w.~-]+$/;

/**
 * Reads a remote's URL: `https://host/owner/name.git`, `ssh://git@host:22/owner/name`, `git@host:owner/name.git`.
 * `null` for a folder on this machine and for anything else. Drops userinfo. `host`: in lower case; may be an alias of the
 * ssh configuration. `owner`: a user, an organisation, or groups (`a/b`).
 */
export function parseRemote(url: string) {
  const address = addressOf(url.trim());
  if (address === null) return null;
  const segments = address.path
    .replace(/\.git\/?$/, '')
    .split('/')
    .filter((segment) => segment !== '');
  const name = segments.pop();
  if (name === undefined || segments.length === 0 || ![...segments, name].every((part) => NAME.test(part))) return null;
  const host = address.host.toLowerCase();
  return { forge: forgeOf(host), host, owner: segments.join('/'), name };
}

function addressOf(url: string): { host: string; path: string } | null {
  if (/^(?:https?|ssh|git|git\+ssh):\/\//i.test(url)) {
    const parsed = URL.parse(url);
    return parsed && { host: parsed.hostname, path: parsed.pathname };
  }
  // `host:path` of scp; one letter is a drive.
  const [, host, pathname] = /^(?:[^@/\\:]+@)?([^@/\\:]{2,}):(?!\/\/)([^]+)$/.exec(url) ?? [];
  return host === undefined || pathname === undefined ? null : { host, path: pathname };
}

function forgeOf(host: string): 'github' | 'gitlab' | 'other' {
  if (host.includes('github')) return 'github';
  return host.includes('gitlab') ? 'gitlab' : 'other';
}

/** The address of a repository's pages without a domain of their own; `null` if unknown. */
export function pagesUrl({ forge, host, owner, name }: Remote): string | null {
  // An alias of the ssh configuration has no dot.
  const isPublic = /^(?:www\.|ssh\.|altssh\.)?git(?:hub|lab)\.com$/.test(host) || !host.includes('.');
  const [user = '', ...groups] = owner.toLowerCase().split('/');
  if (!isPublic || forge === 'other' || !/^[a-z\d-]+$/.test(user)) return null;
  const domain = `${user}.${forge}.io`;
  const segments = [...groups, name];
  return segments.length === 1 && name.toLowerCase() === domain
    ? `https://${domain}/`
    : `https://${domain}/${segments.join('/')}/`;
}

/* Files and folders of a user, which may be of any size. */

const MAX_BYTES = 1 << 20;
const MAX_NAMES = 2_000;

/** The first mebibyte of a regular file as text without a byte order mark; `null` if it cannot be read. */
export async function readText(file: string): Promise<string | null> {
  // Opening a pipe would wait for its writer.
  const found = await stat(file).catch(() => null);
  return found?.isFile() === true ? textOf(createReadStream(file, { end: MAX_BYTES - 1 })).catch(() => null) : null;
}

export async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.toSorted().slice(0, MAX_NAMES);
}

/** A path relative to a folder, with forward slashes; `.` for the folder itself. */
export function relativePath(folder: string, file: string): string {
  return path.relative(folder, file).replaceAll(path.sep, '/') || '.';
}
