import { workflowScalar } from '../yaml-scalar.ts';
import { checkoutStep, checkStep, configInput, scalarOrNull, type WorkflowSite } from './steps.ts';

/** Checks the site every night; an issue tells what is wrong for as long as it is. */
export function nightlyWorkflow(site: WorkflowSite): string {
  const inputs = [
    ['url', workflowScalar(site.url)],
    ['config', configInput(site)],
    // The configuration's own holds where it is found from the root.
    ['source', configInput(site) === null ? null : scalarOrNull(site.source)],
    ['full', 'true'],
    ['wait', '5m'],
    ['issue', 'docvitals'],
  ] as const;
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
    # Forks have no business with this site.
    if: \${{ !github.event.repository.fork }}
    runs-on: ubuntu-latest
    timeout-minutes: 15
    permissions:
      contents: read
      issues: write
    steps:
${checkoutStep()}      # What mends itself within \`wait\` (a deploy that is under way) opens no issue. \`issue\` is the label.
${checkStep(inputs)}`;
}
