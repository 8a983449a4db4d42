/** The ready-made workflows of GitHub Actions. */
import type { WorkflowKind } from './workflow-kinds.ts';

/** The repository of this action, as `uses:` names it. */
export const ACTION_REPOSITORY = 'docvitals/docvitals';

/** The action itself, by its moving major tag. */
export const DOCVITALS = `${ACTION_REPOSITORY}@v0`;

/** The command, as `npx` names it: of the same major version. */
export const PACKAGE = 'docvitals@0';

/** Actions of GitHub, pinned by commit. */
export const CHECKOUT = 'actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1';
const UPLOAD_PAGES = 'actions/upload-pages-artifact@fc324d3547104276b827a68afc52ff2a11cc49c9 # v5.0.0';
const DEPLOY_PAGES = 'actions/deploy-pages@cd2ce8fcbc39b97be8ca5fce6e763baed58fa128 # v5.0.0';

/** Plain scalars that YAML 1.1 and 1.2 read as text, also in flow collections. */
const PLAIN = /^(?=.*[a-z])(?!(?:true|false|yes|no|on|off|null|y|n)$)[a-z./](?:[\w./-]|:(?=[\w/]))*$/i;

/** A text as a YAML scalar on one line. */
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
  /** Base URL; ends with a slash. */
  readonly url: string;
  /** The folder that the site is deployed from; `null`: not known. */
  readonly source: string | null;
  /** The branch that is deployed. */
  readonly branch: string;
  /** The configuration; `null`: there is none. */
  readonly config: string | null;
  /** Whether a deploy writes `version.json`; not where the site has one of its own. */
  readonly writesVersion: boolean;
}

/** The deployed branch, as a filter of an event. */
function branchFilter({ branch }: WorkflowSite): string {
  return workflowScalar(branch.replaceAll(/[+!]/g, String.raw`\$&`));
}

/** The step that checks out the files to compare with the site. `ref`: an expression. */
function checkoutStep(ref: string | null = null): string {
  return `      - uses: ${CHECKOUT}
        with:
${ref === null ? '' : `          ref: ${ref}\n`}          persist-credentials: false
          # Enough history to name an old version that is still live.
          fetch-depth: 50
`;
}

/** Inputs of the action that differ between workflows, as YAML. */
interface Inputs {
  readonly url?: string;
  /** Default: only if the action does not find it, anywhere but at the root. */
  readonly config?: string | null;
  readonly source?: string | null;
  readonly 'expect-version'?: string | null;
  readonly wait: string;
  readonly issue?: string;
}

/** The step that checks the site. */
function checkStep(site: WorkflowSite, { url, config, source, wait, issue, ...rest }: Inputs): string {
  const inputs = {
    url,
    config: config ?? configInput(site),
    source: source === undefined ? scalarOrNull(site.source) : source,
    ...rest,
    full: 'true',
    wait,
    issue,
  };
  const lines = Object.entries(inputs).flatMap(([name, value]) => (value ? [`          ${name}: ${value}\n`] : []));
  return `      - uses: ${DOCVITALS}
        with:
${lines.join('')}`;
}

/** The configuration, unless the action finds it at the root. */
function configInput({ config }: WorkflowSite): string | null {
  return config?.includes('/') === true ? workflowScalar(config) : null;
}

function scalarOrNull(text: string | null): string | null {
  return text === null ? null : workflowScalar(text);
}

/** Deploys to GitHub Pages, then waits for the new version and checks it. */
function pagesWorkflow(site: WorkflowSite): string {
  const folder = workflowScalar(site.source ?? '.');
  return `# Deploys the site to GitHub Pages, then waits until the new version is live and checks it.
# In the repository's settings, under Pages, the source has to be "GitHub Actions".
name: Docs

on:
  push:
    branches:
      - ${branchFilter(site)}
  workflow_dispatch:

# Each job sets its own permissions.
permissions: {}

# One deployment at a time, with its check: after a newer deployment the check would find the wrong version.
concurrency:
  group: pages
  cancel-in-progress: false

jobs:
  build:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: read
    steps:
      - uses: ${CHECKOUT}
        with:
          persist-credentials: false
      # If the site is built, build it here, and name the folder of the build below.
${site.writesVersion ? versionStep(folder) : ''}      - uses: ${UPLOAD_PAGES}
        with:
          path: ${folder}
          # Files and folders whose names begin with a dot, such as .well-known, are left out without this:
          # include-hidden-files: true

  deploy:
    needs: build
    runs-on: ubuntu-latest
    timeout-minutes: 15
    permissions:
      pages: write
      id-token: write
    environment:
      name: github-pages
      url: \${{ steps.deployment.outputs.page_url }}
    outputs:
      page_url: \${{ steps.deployment.outputs.page_url }}
    steps:
      - id: deployment
        uses: ${DEPLOY_PAGES}

${checkJob(site, 'deploy', '${{ needs.deploy.outputs.page_url }}', site.writesVersion)}`;
}

/** The folder comes through the environment, so that its name cannot become part of the script. */
const versionStep = (folder: string): string => `      - name: Write the version
        # Publishes the commit as /version.json, which the check waits for.
        run: printf '{"commit":"%s"}\\n' "$GITHUB_SHA" > "$SITE/version.json"
        env:
          SITE: ${folder}
`;

/**
 * The job alone, for a workflow that already deploys, after the job `needs`. `url`: an expression or a scalar.
 * `hasVersion`: the deployed `version.json` has the commit.
 */
export function checkJob(site: WorkflowSite, needs: string, url: string, hasVersion = false): string {
  // Beside `source` no version is expected; a run started by hand expects none unless it is named.
  const version = hasVersion ? '${{ github.sha }}' : null;
  return `  check:
    # \`needs\` names the job that deploys.
    needs: ${workflowScalar(needs)}
    runs-on: ubuntu-latest
    timeout-minutes: 20
    permissions:
      contents: read
    steps:
${checkoutStep()}${aboutBuilds(site.source, hasVersion)}${checkStep(site, { url, 'expect-version': version, wait: '10m' })}`;
}

/** How the check recognises the new version, and what to change for a built site. */
function aboutBuilds(source: string | null, hasVersion: boolean): string {
  const built = `      # If the site is built, the checkout does not contain the deployed files: then leave out \`source\` here and in the
      # configuration. ${hasVersion ? 'version.json alone shows which commit is live.' : 'Have the deployment write {"commit": "<sha>"} into version.json: the check waits for it.'}
`;
  const unbuilt = hasVersion
    ? '      # version.json shows which commit is live.\n'
    : '      # If the deployment writes {"commit": "<sha>"} into version.json, the check waits for it.\n';
  return `${source === null ? unbuilt : built}      # To compare every file of a built site, make a manifest after the build:
      #   npx --yes ${PACKAGE} manifest FOLDER --out manifest.json
      # Pass it on with actions/upload-artifact and, after the checkout, actions/download-artifact, and set
      # \`source: manifest.json\`.
`;
}

/** Waits after a push until the platform has deployed it, then checks the site. */
function pushWorkflow(site: WorkflowSite): string {
  return `# After a push, waits until the platform has deployed it, then checks the site. For Netlify, Cloudflare and all others
# that deploy from Git by themselves and report no deployment to GitHub.
name: Check push

on:
  push:
    branches:
      - ${branchFilter(site)}

permissions: {}

concurrency:
  # The newest push counts: an older one may never go live.
  group: docvitals-push
  cancel-in-progress: true

jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 25
    permissions:
      contents: read
    steps:
${checkoutStep()}      # With \`source\`, the files show whether the new version is live. Without it, the check waits for the commit in
      # version.json: then set \`paths\`, so that pushes which deploy nothing start no check.
${checkStep(site, { url: workflowScalar(site.url), wait: '15m' })}`;
}

/**
 * Checks a deployment that a platform reported to GitHub. The configuration is named, so that the action does not search
 * a proposed commit for one that is a program.
 */
function deploymentStatusWorkflow(site: WorkflowSite): string {
  return `# Checks each deployment that a platform reports to GitHub with its address, as Vercel's app does. The apps of Netlify
# and Cloudflare do not. A deployment that a workflow makes with its own token starts no other workflow.
name: Check deployment

on: deployment_status

permissions: {}

concurrency:
  # One check of an address at a time, and the newest counts. Pending and failed deployments must not cancel it.
  group: docvitals-\${{ github.event.deployment_status.environment_url }}-\${{ github.event.deployment_status.state }}
  cancel-in-progress: true

jobs:
  check:
    # If several projects or previews are reported and only one counts, add
    # \`&& github.event.deployment.environment == 'Production'\`, or the name on the repository's page of deployments.
    if: github.event.deployment_status.state == 'success'
    runs-on: ubuntu-latest
    timeout-minutes: 15
    permissions:
      contents: read
    steps:
${checkoutStep('${{ github.event.deployment.sha }}')}      # The event has the address; to check another one, such as the public address, set \`url\`.
${checkStep(site, { config: scalarOrNull(site.config), wait: '5m' })}          # If Vercel's Deployment Protection is on:
          # headers: |
          #   x-vercel-protection-bypass: \${{ secrets.VERCEL_AUTOMATION_BYPASS_SECRET }}
`;
}

/** Checks the deployment that an event names. */
function dispatchWorkflow(site: WorkflowSite): string {
  return `# Checks the site when a platform or a script sends an event after a deployment (repository_dispatch).
name: Check dispatched deployment

on:
  repository_dispatch:
    types:
      # Vercel sends these when a deployment goes to production, and when somebody promotes one.
      - vercel.deployment.success
      - vercel.deployment.promoted
      # Any other platform can send this at the end of its deploy script, with a token that may write contents:
      #   gh api repos/OWNER/REPO/dispatches -f event_type=docs-deployed \\
      #     -f 'client_payload[url]=${site.url}' -f "client_payload[sha]=$COMMIT"
      - docs-deployed

permissions: {}

concurrency:
  # One check of an address at a time, and the newest counts.
  group: docvitals-\${{ github.event.client_payload.url }}
  cancel-in-progress: true

jobs:
  check:
    # If several projects of Vercel belong to the repository, or previews send events too:
    # if: github.event.client_payload.project.name == 'docs' && github.event.client_payload.environment == 'production'
    runs-on: ubuntu-latest
    timeout-minutes: 15
    permissions:
      contents: read
    steps:
${checkoutStep('${{ github.event.client_payload.git.sha || github.event.client_payload.sha }}')}      # Vercel sends the address of the deployment; to check the public address, write it as \`url\`.
${checkStep(site, { url: '${{ github.event.client_payload.url }}', wait: '5m' })}`;
}

/** Checks the site every night, with an issue for as long as it fails. */
function nightlyWorkflow(site: WorkflowSite): string {
  // Otherwise the action finds it in the configuration.
  const source = configInput(site) === null ? null : scalarOrNull(site.source);
  return `# Checks the site every night. When it fails an issue is opened, updated while it lasts, and closed on recovery.
name: Check docs nightly

on:
  schedule:
    # UTC. Not at a full hour, when GitHub is busiest and drops scheduled runs.
    # In a public repository without activity for 60 days, GitHub turns schedules off.
    - cron: '23 3 * * *'
  workflow_dispatch:

permissions: {}

concurrency:
  group: docvitals-nightly
  cancel-in-progress: false

jobs:
  check:
    # Not in forks.
    if: \${{ !github.event.repository.fork }}
    runs-on: ubuntu-latest
    timeout-minutes: 15
    permissions:
      contents: read
      issues: write
    steps:
${checkoutStep()}      # A failure that ends within \`wait\`, such as a deployment in progress, opens no issue. \`issue\` is the label.
${checkStep(site, { url: workflowScalar(site.url), source, wait: '5m', issue: 'docvitals' })}`;
}

/** The site of the documentation's examples. */
const EXAMPLE: WorkflowSite = {
  url: 'https://docs.example.com/',
  source: 'docs',
  branch: 'main',
  config: 'docvitals.yaml',
  writesVersion: true,
};

const WORKFLOWS: Readonly<Record<WorkflowKind, (site: WorkflowSite) => string>> = {
  pages: pagesWorkflow,
  push: pushWorkflow,
  'deployment-status': deploymentStatusWorkflow,
  dispatch: dispatchWorkflow,
  nightly: nightlyWorkflow,
};

/** The file of a workflow; by default for the site of the examples. */
export function workflowText(kind: WorkflowKind, site: WorkflowSite = EXAMPLE): string {
  return WORKFLOWS[kind](site);
}
