/** The files that are written for a project, compared with those that it has, and what the user has to do besides. */
import { lstat, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { HostKind } from '../site/host-product.ts';
import { SCHEMA_URL } from '../config/config.ts';
import type { InitWords } from '../generated/locales/init.ts';
import { fill, hostConfiguration } from '../hosting/configuration.ts';
import { GUIDED_HOSTS, KIND_OF_PRODUCT, parseBase, type HostProduct } from '../hosting/rules.ts';
import { makeFolder, writeFileWhole, writing } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import { echoed, UsageError } from '../options/arguments.ts';
import { shellPath, shellWord } from '../text/shell-word.ts';
import { isReachable, type Answers } from './answers.ts';
import { namesIn, type DetectedHost, type Project } from './detect.ts';
import { WORKFLOW_FILES, WORKFLOW_KINDS } from './options.ts';
import { checkJob, PACKAGE, workflowScalar, workflowText, yamlScalar, type WorkflowSite } from './workflows.ts';

interface PlannedFile {
  /** Relative to the plan's root, with forward slashes. */
  readonly file: string;
  readonly text: string;
  /** Names of files that the host reads instead of it. */
  readonly rivals?: RegExp;
  /** Another file of the plan that this one needs. */
  readonly needs?: string;
  readonly explanation?: string;
}

export interface Plan {
  readonly root: string;
  readonly files: readonly PlannedFile[];
  /** What the user has to know or do besides, in words. */
  readonly notes: readonly string[];
}

export const CONFIG = 'docvitals.yaml';

const MONITOR_ADDRESS = '127.0.0.1:9464';

/**
 * Whether the configuration names the kind of host: a platform or worker that was detected, or whose product was named, need
 * not negotiate, unless it gets the rules for that.
 */
function isKindSaid({ host, product, guided, hosting }: Answers, { hosts }: Project): boolean {
  if (host === null) return false;
  if (host === 'server' || hosting) return true;
  return product === null && guided === null && !hosts.some(({ kind }) => kind === host);
}

function configText(answers: Answers, project: Project): string {
  const { url, source, host, language, monitor } = answers;
  const lines = [
    `# yaml-language-server: $schema=${SCHEMA_URL}`,
    // `$` begins an environment variable.
    `url: ${yamlScalar(url.replaceAll('$', '$$$$'))}`,
    ...(source === null ? [] : [`source: ${yamlScalar(source)}`]),
    ...(isKindSaid(answers, project) ? [`host: ${host}`] : []),
    `language: ${language}`,
    ...(monitor ? ['monitor:', `  listen: ${MONITOR_ADDRESS}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Throws a `UsageError` if the configuration of a host is wanted and cannot be made. */
export function makePlan(answers: Answers, project: Project, existing: string | null, words: InitWords): Plan {
  const inRoot = (file: string): string => path.posix.join(project.prefix, file);
  const site = workflowSite(answers, project, existing ?? CONFIG);
  const pasted = answers.workflows.includes('pages') ? project.pagesJob : null;
  const workflows = WORKFLOW_KINDS.filter(
    (kind) => answers.workflows.includes(kind) && (kind !== 'pages' || pasted === null),
  );
  const configured = existing !== null && existing !== CONFIG ? existing : null;
  const hosting = hostingPlan(answers, project, words);
  return {
    root: project.repository?.root ?? project.folder,
    files: [
      ...(configured === null ? [{ file: inRoot(CONFIG), text: configText(answers, project) }] : []),
      ...workflows.map((kind) => ({ file: WORKFLOW_FILES[kind], text: workflowText(kind, site) })),
      ...hosting.files.map(({ file, needs, ...rest }) => ({
        ...rest,
        file: inRoot(file),
        ...(needs === undefined ? {} : { needs: inRoot(needs) }),
      })),
    ],
    notes: [
      ...(configured === null ? [] : [words.configured(printable(inRoot(configured)))]),
      ...pasteNote(answers, site, pasted, words),
      ...hosting.notes,
      ...(workflows.length === 0 ? [] : [words.workflowsUnpublished]),
      ...workflows.map((kind) => words.afterwards[kind]),
      ...workflowNotes(answers, project, site, words),
      monitorNote(answers, existing, words),
    ],
  };
}

/** A workflow already deploys to GitHub Pages: the job is added to it by hand. */
function pasteNote({ url }: Answers, site: WorkflowSite, job: Project['pagesJob'], words: InitWords) {
  if (job === null || job.isChecked) return [];
  return [`${words.paste(printable(job.file))}\n\n${checkJob(site, job.job, workflowScalar(url)).trimEnd()}`];
}

function monitorNote({ monitor }: Answers, existing: string | null, words: InitWords): string {
  const command = `docvitals monitor${monitor && existing === null ? '' : ` --listen ${MONITOR_ADDRESS}`}`;
  return monitor ? words.monitor(command) : words.monitorOffer(command);
}

function workflowSite(answers: Answers, { prefix, repository, site }: Project, config: string): WorkflowSite {
  return {
    url: answers.url,
    source: answers.source === null ? null : path.posix.join(prefix, answers.source),
    branch: repository?.branch ?? 'main',
    config: path.posix.join(prefix, config),
    writesVersion: site?.hasVersion !== true || site.folder !== answers.source,
  };
}

/** Where GitHub cannot reach the site; where no workflow can run, the command to run after each deployment. */
function workflowNotes({ url, workflows }: Answers, { repository }: Project, site: WorkflowSite, words: InitWords) {
  const { source, config } = site;
  const forge = repository?.remote?.forge ?? 'none';
  const isWritten = workflows.length > 0;
  if (isWritten || forge === 'github') return isReachable(url) ? [] : [words.unreachable(printable(url), isWritten)];
  const configured = config?.includes('/') ? ` --config ${shellPath(config)}` : '';
  const compared = source === null ? '' : ` --source ${shellPath(source)}`;
  const command = `npx --yes ${PACKAGE} check ${shellWord(url)}${configured}${compared} --full --wait 10m`;
  return [`${words.command(forge === 'gitlab' ? 'GitLab' : null)}\n  ${printable(command)}`];
}

/* The configuration of the detected host: whether docvitals has one, and where its files belong. */

const PRODUCTS: Readonly<Record<string, HostProduct>> = {
  Vercel: 'vercel',
  Netlify: 'netlify',
  nginx: 'nginx',
  'Cloudflare Workers': 'cloudflare',
};

/** The product of a kind, unless another one was detected or named. */
const USUAL: Readonly<Record<HostKind, HostProduct>> = { server: 'nginx', platform: 'vercel', worker: 'cloudflare' };

interface Settings {
  /** The file that the host reads. */
  readonly file: string;
  /** Names of files that the host reads instead of it, or before it. */
  readonly rivals?: RegExp;
  /** Whether it has to name the deployed folder; `below`: only if the site is in a folder of that one. Default: it has not. */
  readonly namesFolder?: 'always' | 'below';
  /** Whether the host reads the other files only if this one names them. */
  readonly namesFiles?: boolean;
}

const SETTINGS: Readonly<Record<HostProduct, Settings>> = {
  nginx: { file: 'docs.conf' },
  vercel: { file: 'vercel.json', rivals: /^vercel\.(?:json|toml|[cm]?[jt]s)$/, namesFolder: 'below' },
  netlify: { file: 'netlify.toml', namesFolder: 'always' },
  cloudflare: {
    file: 'wrangler.jsonc',
    rivals: /^wrangler\.(?:toml|jsonc?)$/,
    namesFolder: 'always',
    namesFiles: true,
  },
};

/**
 * Uses the named `product`, else the most certain host of that kind, else the most certain of all, even if it is of
 * another kind. `null`: nothing is known.
 */
export function hostingOffer(
  { host, product, guided }: Pick<Answers, 'host' | 'product' | 'guided'>,
  hosts: readonly DetectedHost[],
):
  | { readonly ok: true; readonly product: HostProduct; readonly folder: string }
  | { readonly ok: false; readonly provider: string }
  | null {
  if (guided !== null) return { ok: false, provider: GUIDED_HOSTS[guided].section };
  if (product !== null) {
    const own = hosts.find(({ provider }) => PRODUCTS[provider] === product);
    return { ok: true, product, folder: own === undefined ? '.' : folderOf(own) };
  }
  const detected = hosts.find(({ kind }) => kind === host) ?? hosts[0];
  if (detected === undefined) return host === null ? null : { ok: true, product: USUAL[host], folder: '.' };
  const found = PRODUCTS[detected.provider];
  if (found === undefined || KIND_OF_PRODUCT[found] !== host) return { ok: false, provider: detected.provider };
  return { ok: true, product: found, folder: folderOf(detected) };
}

/** Settings belong beside the file that shows the host, unless it is deployed with the site. */
const folderOf = ({ file }: DetectedHost): string =>
  path.posix.basename(file) === '_redirects' ? '.' : path.posix.dirname(file);

function hostingPlan(answers: Answers, { hosts, prefix }: Project, words: InitWords) {
  const { hosting, url, source } = answers;
  if (!hosting) return { files: [], notes: [] };
  const offer = hostingOffer(answers, hosts);
  if (offer === null) throw new UsageError((messages) => messages.hostingNeedsHost());
  if (!offer.ok) return { files: [], notes: [words.noHosting(printable(offer.provider))] };
  const site = new URL(url);
  const { pathname: base } = site;
  if (parseBase(base) === null) throw new UsageError((messages) => messages.hostingBase(echoed(base)));
  const deployed = deployedFolder(base, source);
  // A folder that is unknown, or outside of that of the settings, cannot be named in them.
  const below = deployed === null ? '..' : path.posix.relative(offer.folder, deployed);
  const named = /^\.\.(?:\/|$)/.test(below) ? null : below;
  const { file, rivals, namesFolder, namesFiles = false } = SETTINGS[offer.product];
  const settings = path.posix.join(offer.folder, file);
  const explanation = `docvitals hosting ${offer.product} --url ${shellWord(site.href)}`;
  const request = { kind: KIND_OF_PRODUCT[offer.product], product: offer.product, base, url: site, folder: named };
  const files = hostConfiguration({ ...request, improved: true }).files.map(({ name, text }): PlannedFile => {
    if (name === file) return { file: settings, text, explanation, ...(rivals === undefined ? {} : { rivals }) };
    return { file: path.posix.join(offer.folder, name), text, ...(namesFiles ? { needs: settings } : {}) };
  });
  if (offer.product === 'cloudflare' && named !== null) files.push(...ignoring(settings, deployed, source));
  // The user has to name the deployed folder, because it is not known.
  const isUnnamed = named === null && (namesFolder === 'always' || (namesFolder === 'below' && base !== '/'));
  if (!isUnnamed) return { files, notes: [] };
  const place = printable(path.posix.join(prefix, settings));
  return { files, notes: [words.deployedFolder(place, base === '/' ? null : printable(base.slice(1)))] };
}

/** The deployed folder: with a base path, it is above the folder of the site. `null`: not known. */
function deployedFolder(base: string, source: string | null): string | null {
  if (source === null || !`/${source}/`.endsWith(base)) return null;
  const depth = base.split('/').filter((segment) => segment !== '').length;
  return path.posix.join(source, '../'.repeat(depth)).replace(/(?<=.)\/$/, '');
}

/** Keeps other files in the deployed folder from being deployed with the site. */
function ignoring(settings: string, deployed: string | null, source: string | null): readonly PlannedFile[] {
  if (deployed === null || source === null) return [];
  const inside = path.posix.relative(deployed, source);
  const holdsSettings = path.posix.dirname(settings) === deployed;
  if (inside === '' && !holdsSettings) return [];
  const file = path.posix.join(deployed, '.assetsignore');
  return [{ file, text: fill('assetsignore', { inside: inside && onlyInside(inside) }), needs: settings }];
}

/** Ignores everything beside each folder on the way to this one. */
function onlyInside(folder: string): string {
  const names = folder.split('/').map((name) => name.replaceAll(/[\\*?[\]!# ]/g, String.raw`\$&`));
  const lines = names.flatMap((_, index) => {
    const above = names.slice(0, index).map((name) => `${name}/`);
    return [`/${above.join('')}*\n`, `!/${above.join('')}${names[index]}/\n`];
  });
  return lines.join('');
}

/* The planned files and those on disk. */

/** `unchanged` has the planned text; `exists` has another one and is kept. */
type FileState = 'new' | 'unchanged' | 'exists' | 'replaced';

export interface ComparedFile extends PlannedFile {
  readonly state: FileState;
  /** The host reads this file instead of the planned one: nothing replaces it. */
  readonly isRival?: true;
}

/**
 * Compares a plan with the files on disk. Ignores line ends, which Git changes on checkout. Leaves out files that need
 * one that is kept.
 */
export async function compareFiles({ root, files }: Plan, force: boolean): Promise<readonly ComparedFile[]> {
  const compared = await Promise.all(files.map((file) => compare(root, file, force)));
  const kept = new Set(files.filter((_, index) => compared[index]?.state === 'exists').map(({ file }) => file));
  return compared.filter(({ needs }) => needs === undefined || !kept.has(needs));
}

async function compare(root: string, planned: PlannedFile, force: boolean): Promise<ComparedFile> {
  const { file, rivals } = planned;
  const folder = path.posix.dirname(file);
  const names = rivals === undefined ? [] : await namesIn(path.join(root, folder));
  const rival = names.find((name) => rivals?.test(name) === true && name !== path.posix.basename(file));
  if (rival === undefined) return { ...planned, state: await stateOf(root, planned, force) };
  return { ...planned, file: path.posix.join(folder, rival), state: 'exists', isRival: true };
}

async function stateOf(root: string, { file, text }: PlannedFile, force: boolean): Promise<FileState> {
  const target = path.join(root, file);
  // A broken symbolic link counts as an existing file.
  if ((await lstat(target).catch(() => null)) === null) return 'new';
  const isFile = (await stat(target).catch(() => null))?.isFile() === true;
  const current = isFile ? await readFile(target, 'utf8').catch(() => null) : null;
  if (current?.replaceAll('\r\n', '\n') === text) return 'unchanged';
  return force ? 'replaced' : 'exists';
}

/** Writes what is new or replaced, once all folders exist. Rejects with an `OutputError`. */
export async function writeFiles({ root }: Plan, files: readonly ComparedFile[]): Promise<void> {
  const targets = files.filter(isWritten).map(({ file, text }) => ({ file: path.join(root, file), text }));
  for (const { file } of targets) await writing(file, makeFolder(path.dirname(file)));
  for (const { file, text } of targets) await writeFileWhole(file, text);
}

export const isWritten = ({ state }: ComparedFile): boolean => state === 'new' || state === 'replaced';
