/** The answers that decide which files are written: from the command line, the configuration and what was detected. */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { isPublic } from '../http/address-scope.ts';
import { parseBaseUrl } from '../core/base-url.ts';
import type { HostKind } from '../site/host-product.ts';
import { pick, type Config } from '../config/config.ts';
import { guidedHostOf, hostKindOf, hostProductOf, type GuidedHost, type HostProduct } from '../hosting/rules.ts';
import { printable } from '../text/printable.ts';
import { echoed, UsageError } from '../options/arguments.ts';
import type { Language } from '../locales/language.ts';
import { relativePath, type DetectedUrl, type Project } from './detect.ts';
import { WORKFLOW_KINDS, type InitFlags, type WorkflowKind } from './options.ts';

export interface Answers {
  /** Base URL without userinfo; ends with a slash. */
  readonly url: string;
  /** The folder that the site is deployed from, relative to that of the configuration; `null`: not known. */
  readonly source: string | null;
  readonly host: HostKind | null;
  /** `null`, unless `--host` named a product. */
  readonly product: HostProduct | null;
  /** `null`, unless `--host` named a host that has no configuration to write. */
  readonly guided: GuidedHost | null;
  readonly language: Language;
  readonly workflows: readonly WorkflowKind[];
  readonly hosting: boolean;
  readonly monitor: boolean;
}

export type Known = Partial<Answers>;

/** An answer to each question, except perhaps the address. */
export type Proposal = ReturnType<typeof propose>;

/** Reads the value of `--url`, for a file that is committed: without a password. Throws a `UsageError`. */
export function siteUrlOf(text: string): string {
  const site = parseBaseUrl(text);
  if (!site.ok) throw new UsageError((messages) => messages.baseUrl(site.problem, printable(site.given)));
  if (site.site.href !== site.base.href) throw new UsageError((messages) => messages.secretInUrl('--url'));
  return site.base.href;
}

/** The values of `--workflow`. Throws a `UsageError` for `none` beside another. */
function workflowsOf(given: readonly string[]): readonly WorkflowKind[] {
  const kinds = WORKFLOW_KINDS.filter((kind) => given.includes(kind));
  const [first] = kinds;
  if (first !== undefined && given.includes('none')) {
    throw new UsageError((messages) => messages.exclusive(`--workflow ${first}`, '--workflow none'));
  }
  return kinds;
}

export async function answersOfFlags(flags: InitFlags, folder: string): Promise<Known> {
  const { url, source, host, lang, workflow } = flags;
  return {
    ...(url === undefined ? {} : { url: siteUrlOf(url) }),
    ...(source === undefined ? {} : { source: await sourceOf(source, folder) }),
    ...(host === undefined ? {} : { host: hostKindOf(host), product: hostProductOf(host), guided: guidedHostOf(host) }),
    ...(lang === undefined ? {} : { language: lang }),
    ...(workflow === undefined ? {} : { workflows: workflowsOf(workflow) }),
    ...pick(flags, ['hosting', 'monitor']),
  };
}

async function sourceOf(given: string, folder: string): Promise<string> {
  const target = path.resolve(folder, given);
  const found = await stat(target).catch(() => null);
  if (found?.isDirectory() !== true) throw new UsageError((messages) => messages.notAFolder(echoed(given)));
  const source = relativePath(folder, await realpath(target));
  if (/^\.\.(?:\/|$)/.test(source) || path.isAbsolute(source)) {
    throw new UsageError((messages) => messages.outsideFolder('--source', echoed(given)));
  }
  return source;
}

/** The answers that a project suggests; its configuration overrides what was detected. */
export function propose(project: Project, config: Config | undefined, file: string | null, language: Language) {
  const { source = null, host = null } = config ?? {};
  // A workflow cannot deploy a Git ref or a manifest.
  const folder = source === null || /:|\.json$/.test(source) ? null : source;
  return {
    detected: configuredUrl(config, file) ?? project.urls[0] ?? null,
    source: folder ?? project.site?.folder ?? null,
    host: host ?? project.hosts[0]?.kind ?? null,
    product: null,
    guided: null,
    language,
    workflows: workflowsFor(project),
    hosting: false,
    monitor: false,
  };
}

/** The address that the configuration has, unless it contains a password. */
function configuredUrl(config: Config | undefined, file: string | null): DetectedUrl | null {
  const site = parseBaseUrl(config?.url ?? '');
  const isUsable = file !== null && site.ok && site.site.href === site.base.href;
  return isUsable ? { url: site.base.href, origin: file, isGuess: false } : null;
}

function workflowsFor(project: Project): readonly WorkflowKind[] {
  if (project.repository?.remote?.forge !== 'github') return [];
  const gate = deployWorkflow(project);
  return gate === null ? ['nightly'] : [gate, 'nightly'];
}

/** Platforms that deploy each push but report no deployment with an address. */
const SILENT = new Set(['Netlify', 'Cloudflare Pages', 'Cloudflare Workers']);

/** The workflow that checks after each deployment; `null`: nothing would start it. */
function deployWorkflow({ hosts: [host], isPushedByHand }: Project): WorkflowKind | null {
  if (host === undefined) return null;
  // Someone deploys by hand: a workflow would deploy a second time.
  if (host.provider === 'GitHub Pages') return isPushedByHand ? null : 'pages';
  // It reports each deployment to GitHub, which can start a workflow.
  if (host.provider === 'Vercel') return 'deployment-status';
  return SILENT.has(host.provider) ? 'push' : null;
}

/** Whether GitHub's machines can reach an address. */
export const isReachable = (url: string): boolean => isPublic(new URL(url));

const OPTIONS = [
  ['url', '--url'],
  ['workflows', '--workflow'],
  ['hosting', '--hosting'],
  ['language', '--lang'],
] as const;

/** The answers if no questions can be asked. Throws a `UsageError` that names the missing options. */
export function answersWithoutTerminal(known: Known, proposal: Proposal, project: Project, flags: InitFlags): Answers {
  const { detected, ...proposed } = proposal;
  const missing = OPTIONS.flatMap(([key, option]) => (known[key] === undefined ? [option] : []));
  if (flags.yes !== true && missing.length > 0) {
    throw new UsageError((messages) => messages.nobodyToAsk(missing.join(', ')));
  }
  const answers = { ...proposed, ...known };
  const mayGuess =
    answers.host !== 'platform' &&
    answers.host !== 'worker' &&
    (project.site !== null || project.hosts.length > 0 || known.source !== undefined);
  const url = known.url ?? (detected?.isGuess === true && !mayGuess ? undefined : detected?.url);
  if (url === undefined) throw new UsageError((messages) => messages.noSiteUrl());
  return { ...answers, workflows: known.workflows ?? (isReachable(url) ? answers.workflows : []), url };
}
