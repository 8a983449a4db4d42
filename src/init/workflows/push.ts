import { workflowScalar } from '../yaml-scalar.ts';
import { branchFilter, checkoutStep, checkStep, configInput, scalarOrNull, type WorkflowSite } from './steps.ts';

/** Waits after a push until the platform has deployed it, then checks the site. */
export function pushWorkflow(site: WorkflowSite): string {
  const inputs = [
    ['url', workflowScalar(site.url)],
    ['config', configInput(site)],
    ['source', scalarOrNull(site.source)],
    ['full', 'true'],
    ['wait', '15m'],
  ] as const;
  return `# After a push, waits until the platform has deployed it, then checks the site. For Netlify, Cloudflare and all others
# that deploy from Git by themselves and report no deployment to GitHub.
name: Check push

on:
  push:
    branches:
      - ${branchFilter(site)}

permissions: {}

concurrency:
  # The newest push counts: what an older one has brought may never be live.
  group: docvitals-push
  cancel-in-progress: true

jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 25
    permissions:
      contents: read
    steps:
${checkoutStep()}      # With \`source\` it is the files that tell what is new. Without it, the commit is waited for where the site tells its
      # version: then let \`paths\` leave out the pushes that change nothing of what is deployed.
${checkStep(inputs)}`;
}
