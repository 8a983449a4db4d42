import { deploymentStatusWorkflow } from './deployment-status.ts';
import { dispatchWorkflow } from './dispatch.ts';
import type { WorkflowKind } from './kinds.ts';
import { nightlyWorkflow } from './nightly.ts';
import { pagesWorkflow } from './pages.ts';
import { pushWorkflow } from './push.ts';
import type { WorkflowSite } from './steps.ts';

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

/** A ready-made workflow, whole, as it is written to its file; for a sample site unless told. */
export function workflowText(kind: WorkflowKind, site: WorkflowSite = EXAMPLE): string {
  return WORKFLOWS[kind](site);
}
