import { checkoutStep, checkStep, scalarOrNull, type WorkflowSite } from './steps.ts';

/** Checks what a platform has deployed and reported to GitHub. */
export function deploymentStatusWorkflow(site: WorkflowSite): string {
  const inputs = [
    // Named, so that no configuration that is a program is looked for in what somebody proposes.
    ['config', scalarOrNull(site.config)],
    ['source', scalarOrNull(site.source)],
    ['full', 'true'],
    ['wait', '5m'],
  ] as const;
  return `# Checks each deployment that a platform reports to GitHub as one, with its address, as Vercel's app does. Netlify's and
# Cloudflare's do not. A deployment that a workflow makes with its own token starts no other workflow.
name: Check deployment

on: deployment_status

permissions: {}

concurrency:
  # One check of an address at a time, and the newest counts. What is pending or has failed must not end it.
  group: docvitals-\${{ github.event.deployment_status.environment_url }}-\${{ github.event.deployment_status.state }}
  cancel-in-progress: true

jobs:
  check:
    # Where several projects or previews are reported, and only one of them counts, add
    # \`&& github.event.deployment.environment == 'Production'\`, or as the repository's page of deployments names it.
    if: github.event.deployment_status.state == 'success'
    runs-on: ubuntu-latest
    timeout-minutes: 15
    permissions:
      contents: read
    steps:
${checkoutStep('${{ github.event.deployment.sha }}')}      # The address comes with the event; for another one, such as the public address, set \`url\`.
${checkStep(inputs)}          # Where Vercel's Deployment Protection is on:
          # headers: |
          #   x-vercel-protection-bypass: \${{ secrets.VERCEL_AUTOMATION_BYPASS_SECRET }}
`;
}
