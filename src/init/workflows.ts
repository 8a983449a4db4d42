import { fill } from '../hosting/configuration.ts';
import { REPOSITORY } from '../core/version.ts';
import type { WorkflowKind } from './options.ts';

export const DOCVITALS = `${REPOSITORY}@v0`;

/** The command, as `npx` names it: of the same major version. */
export const PACKAGE = 'docvitals@0';

/** Actions of GitHub, pinned by commit. */
export const CHECKOUT = 'actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1';

/** Plain scalars that YAML 1.1 and 1.2 read as text, also in flow collections. */
const PLAIN = /^(?=.*[a-z])(?!(?:true|false|yes|no|on|off|null|y|n)$)[a-z./](?:[\w./-]|:(?=[\w/]))*$/i;

export function yamlScalar(text: string): string {
  // JSON strings are double-quoted scalars (YAML 1.2.2, 1.3.2), except for DEL and the line breaks of YAML 1.1.
  if (PLAIN.test(text)) return text;
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A scalar in a workflow, where `${{` would begin an expression. */
export function workflowScalar(text: string): string {
  return yamlScalar(text.replaceAll('${{', "${{ '${{' }}"));
}

/** Paths are relative to the root of the repository, with forward slashes. */
export interface WorkflowSite {
  readonly url: string;
  /** The folder that the site is deployed from; `null`: not known. */
  readonly source: string | null;
  readonly branch: string;
  readonly config: string | null;
  /** Whether a deploy writes `version.json`; not where the site has one of its own. */
  readonly writesVersion: boolean;
}

/** The inputs of the action that a workflow sets, as YAML. */
type Inputs = Readonly<Partial<Record<'url' | 'config' | 'source' | 'version' | 'issue', string | null>>> & {
  readonly wait: string;
};

function checkStep(site: WorkflowSite, inputs: Inputs): string {
  const usual = { action: DOCVITALS, config: configInput(site), source: scalarOrNull(site.source) };
  return fill('check-step.yml', { ...usual, ...inputs });
}

/** The configuration, unless the action finds it at the root. */
function configInput({ config }: WorkflowSite): string | null {
  return config?.includes('/') === true ? workflowScalar(config) : null;
}

function scalarOrNull(text: string | null): string | null {
  return text === null ? null : workflowScalar(text);
}

/** The step that checks out the files to compare with the site. `ref`: an expression. */
const checkoutStep = (ref: string | null = null): string => fill('checkout.yml', { checkoutAction: CHECKOUT, ref });

/**
 * The job alone, for a workflow that already deploys, after the job `needs`. `url`: an expression or a scalar.
 * `hasVersion`: the deployed `version.json` has the commit.
 */
export function checkJob(site: WorkflowSite, needs: string, url: string, hasVersion = false): string {
  return fill('check-job.yml', {
    needs: workflowScalar(needs),
    checkout: checkoutStep(),
    source: site.source !== null,
    builtVersion: hasVersion
      ? 'version.json alone shows which commit is live.'
      : 'Have the deployment write {"commit": "<sha>"} into version.json: the check waits for it.',
    version: hasVersion
      ? 'version.json shows which commit is live.'
      : 'If the deployment writes {"commit": "<sha>"} into version.json, the check waits for it.',
    package: PACKAGE,
    // Beside `source` no version is expected; a run started by hand expects none unless it is named.
    check: checkStep(site, { url, version: hasVersion ? '${{ github.sha }}' : null, wait: '10m' }),
  });
}

/** What each workflow checks; `ref`: which commit it compares with. */
const CHECKS: Readonly<
  Record<Exclude<WorkflowKind, 'pages'>, (site: WorkflowSite) => Inputs & { readonly ref?: string }>
> = {
  push: ({ url }) => ({ url: workflowScalar(url), wait: '15m' }),
  // The configuration is named, so that the action does not search a proposed commit for one that is a program.
  'deployment-status': ({ config }) => ({
    config: scalarOrNull(config),
    wait: '5m',
    ref: '${{ github.event.deployment.sha }}',
  }),
  dispatch: () => ({
    url: '${{ github.event.client_payload.url }}',
    wait: '5m',
    ref: '${{ github.event.client_payload.git.sha || github.event.client_payload.sha }}',
  }),
  nightly: (site) => ({
    url: workflowScalar(site.url),
    // Otherwise the action finds it in the configuration.
    source: configInput(site) === null ? null : scalarOrNull(site.source),
    wait: '5m',
    issue: 'docvitals',
  }),
};

export function workflowText(kind: WorkflowKind, site: WorkflowSite): string {
  // As a filter of an event.
  const branch = workflowScalar(site.branch.replaceAll(/[+!]/g, String.raw`\$&`));
  if (kind === 'pages') {
    return fill('pages.yml', {
      branch,
      folder: workflowScalar(site.source ?? '.'),
      writesVersion: site.writesVersion,
      checkoutAction: CHECKOUT,
      checkJob: checkJob(site, 'deploy', '${{ needs.deploy.outputs.page_url }}', site.writesVersion),
    });
  }
  const { ref, ...inputs } = CHECKS[kind](site);
  return fill(`${kind}.yml`, { branch, url: site.url, checkout: checkoutStep(ref), check: checkStep(site, inputs) });
}
