import { checkoutStep, checkStep, configInput, scalarOrNull, type WorkflowSite } from './steps.ts';

/** Checks what a platform says that it has deployed, by an event of its own. */
export function dispatchWorkflow(site: WorkflowSite): string {
  const inputs = [
    ['url', '${{ github.event.client_payload.url }}'],
    ['config', configInput(site)],
    ['source', scalarOrNull(site.source)],
    ['full', 'true'],
    ['wait', '5m'],
  ] as const;
  return `# Checks the site when the platform that has deployed it says so with an event of its own (repository_dispatch).
name: Check dispatched deployment

on:
  repository_dispatch:
    types:
      # Vercel sends these once a deployment is in production: of itself, and when somebody promotes one.
      - vercel.deployment.success
      - vercel.deployment.promoted
      # Any other platform sends this one at the end of its deploy script, with a token that may write contents:
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
    # Where several projects of Vercel's belong to the repository, or its previews send events as well:
    # if: github.event.client_payload.project.name == 'docs' && github.event.client_payload.environment == 'production'
    runs-on: ubuntu-latest
    timeout-minutes: 15
    permissions:
      contents: read
    steps:
${checkoutStep('${{ github.event.client_payload.git.sha || github.event.client_payload.sha }}')}      # Vercel names the deployment's own address; for the public one, write it as \`url\`.
${checkStep(inputs)}`;
}
