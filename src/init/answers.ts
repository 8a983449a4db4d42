import { isIP } from 'node:net';
import { scopeOf } from '../address-scope.ts';
import type { HostKind } from '../check.ts';
import type { HostProduct } from '../hosting/kinds.ts';
import type { Language } from '../texts.ts';
import type { Seen } from './look.ts';
import type { WorkflowKind } from './workflows/kinds.ts';

/** What decides what is written. */
export interface Answers {
  /** Base URL without userinfo; ends with a slash. */
  readonly url: string;
  /** The folder that the site is deployed from, relative to the folder of the configuration; `null`: not known. */
  readonly source: string | null;
  readonly host: HostKind | null;
  /** Named with `--host`; `null`: only its kind was named, or nothing. */
  readonly product: HostProduct | null;
  readonly language: Language;
  readonly workflows: readonly WorkflowKind[];
  /** Write the configuration of the host as well. */
  readonly hosting: boolean;
  /** Write the settings of the monitor as well. */
  readonly monitor: boolean;
}

/** What a command line has answered, what is there already, or what is likely: only what is known. */
export type Known = { readonly [Key in keyof Answers]?: Answers[Key] | undefined };

/** The answers that a folder suggests; `configured`, what its configuration says, stands above what its files say. */
export function propose(seen: Seen, configured: Known, language: Language): Known & Omit<Answers, 'url'> {
  return {
    url: configured.url ?? seen.urls[0]?.url,
    source: configured.source ?? seen.site?.folder ?? null,
    host: configured.host ?? seen.hosts[0]?.kind ?? null,
    product: null,
    language,
    workflows: workflowsFor(seen),
    hosting: false,
    monitor: false,
  };
}

/** Whether GitHub's machines can reach an address: not on this machine, nor in a private network. */
export function isReachable(url: string): boolean {
  const host = new URL(url).hostname.replaceAll(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return scopeOf(host) === 'public';
  return !/(?:^|\.)(?:localhost|local|internal|test)$/i.test(host) && host.includes('.');
}

/** GitHub alone runs these workflows; the gate goes by how the site is deployed, and where that is not known there is none. */
function workflowsFor(seen: Seen): readonly WorkflowKind[] {
  if (seen.repository?.remote?.forge !== 'github') return [];
  const gate = gateFor(seen);
  return gate === null ? ['nightly'] : [gate, 'nightly'];
}

/** The platforms that tell GitHub of each deployment, so that it can start a workflow. */
const REPORTING = new Set(['Vercel']);
/** Those that deploy what is pushed and tell nobody, or only by a status or a comment that name no address. */
const SILENT = new Set(['Netlify', 'Cloudflare Pages', 'Cloudflare Workers']);

/** Whether workflows can be of use: not outside of Git, nor in a repository that another forge runs. */
export function canHaveWorkflows({ repository }: Seen): boolean {
  if (repository === null) return false;
  const forge = repository.remote?.forge ?? 'github';
  return forge === 'github';
}

/** Whether the guess that pages of a forge serve the site may be taken unasked: only where there is a site or a sign. */
export function mayGuess({ site, hosts }: Seen, { source, host }: Known): boolean {
  if (host === 'platform' || host === 'worker') return false;
  return site !== null || hosts.length > 0 || source !== undefined;
}

/** The workflow that checks after each deploy; `null`: what deploys is not known, or tells GitHub nothing. */
function gateFor({ hosts: [surest], isPushedByHand }: Seen): WorkflowKind | null {
  if (surest === undefined) return null;
  // A workflow that deploys beside whoever pushes by hand would be a second deployment.
  if (surest.provider === 'GitHub Pages') return isPushedByHand ? null : 'pages';
  if (REPORTING.has(surest.provider)) return 'deployment-status';
  return SILENT.has(surest.provider) ? 'push' : null;
}

/** The options that answer, in the order of the questions. */
const OPTIONS = [
  ['url', '--url'],
  ['workflows', '--workflow'],
  ['hosting', '--hosting'],
  ['language', '--lang'],
] as const;

/** The options that have to be given where nobody can be asked. */
export function unanswered(given: Known): readonly string[] {
  return OPTIONS.flatMap(([key, option]) => (given[key] === undefined ? [option] : []));
}
