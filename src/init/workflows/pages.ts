import { workflowScalar } from '../yaml-scalar.ts';
import { CHECKOUT, DEPLOY_PAGES, PACKAGE, UPLOAD_PAGES } from './actions.ts';
import { branchFilter, checkoutStep, checkStep, configInput, scalarOrNull, type WorkflowSite } from './steps.ts';

/** Deploys to GitHub Pages, then waits for the new version and checks it. */
export function pagesWorkflow(site: WorkflowSite): string {
  const folder = workflowScalar(site.source ?? '.');
  return `# Deploys the site to GitHub Pages, then waits until the new version is live and checks it.
# In the repository's settings, under Pages, the source has to be "GitHub Actions".
name: Docs

on:
  push:
    branches:
      - ${branchFilter(site)}
  workflow_dispatch:

# Each job says what it needs.
permissions: {}

# One deployment after the other, its check included: after a newer one, this one's check would find the wrong version.
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
      # What builds the site, if anything does, goes here; the folder below is then the one that it makes.
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

/** The folder comes through the environment: nothing that it is called can become a part of the script. */
const versionStep = (folder: string): string => `      - name: Write the version
        # Tells which commit is live, at /version.json: the check waits for it.
        run: printf '{"commit":"%s"}\\n' "$GITHUB_SHA" > "$SITE/version.json"
        env:
          SITE: ${folder}
`;

/**
 * The job alone, for a workflow that deploys already: it follows the job `needs`. `url` is an expression or a scalar.
 * `tellsVersion`: what is deployed has the commit in its `version.json`.
 */
export function checkJob(site: WorkflowSite, needs: string, url: string, tellsVersion = false): string {
  const inputs = [
    ['url', url],
    ['config', configInput(site)],
    ['source', scalarOrNull(site.source)],
    // Beside `source` no version is expected, and started by hand none at all, unless it is named.
    ['expect-version', tellsVersion ? '${{ github.sha }}' : null],
    ['full', 'true'],
    ['wait', '10m'],
  ] as const;
  return `  check:
    # This job can follow any job that deploys: \`needs\` names it.
    needs: ${workflowScalar(needs)}
    runs-on: ubuntu-latest
    timeout-minutes: 20
    permissions:
      contents: read
    steps:
${checkoutStep()}${aboutBuilds(site.source, tellsVersion)}${checkStep(inputs)}`;
}

/** What says that the new version is live, and what to change where the checkout does not have what is deployed. */
function aboutBuilds(source: string | null, tellsVersion: boolean): string {
  const built = `      # Where the site is built, the checkout does not have what is deployed: then leave \`source\` out, here and in the
      # configuration, and ${tellsVersion ? 'the version alone says what is live.' : 'have the deploy write {"commit": "<sha>"} into version.json: that is waited for.'}
`;
  const told = tellsVersion
    ? '      # The version says what is live.\n'
    : '      # The commit is waited for where the site tells it: have the deploy write {"commit": "<sha>"} into version.json.\n';
  return `${source === null ? told : built}      # To have every file of a built site compared as well, make a manifest after the build:
      #   npx --yes ${PACKAGE} manifest FOLDER --out manifest.json
      # Hand it over with actions/upload-artifact and, after the checkout, actions/download-artifact, and give it as
      # \`source: manifest.json\`.
`;
}
