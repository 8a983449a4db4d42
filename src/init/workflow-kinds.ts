/** The ready-made workflows, as `--workflow` names them. */
export const WORKFLOW_KINDS = ['pages', 'push', 'deployment-status', 'dispatch', 'nightly'] as const;
export type WorkflowKind = (typeof WORKFLOW_KINDS)[number];

export const WORKFLOW_FILES: Readonly<Record<WorkflowKind, string>> = {
  pages: '.github/workflows/docvitals-pages.yml',
  push: '.github/workflows/docvitals-push.yml',
  'deployment-status': '.github/workflows/docvitals-deployment.yml',
  dispatch: '.github/workflows/docvitals-dispatch.yml',
  nightly: '.github/workflows/docvitals-nightly.yml',
};
