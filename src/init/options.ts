import { HOST_NAMES_HELP } from '../hosting/rules.ts';
import { hostNameOf, oneOf, read, type FlagsOf, type Options, type Parse, type SHARED } from '../options/arguments.ts';

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

const WORKFLOW_NAMES = [...WORKFLOW_KINDS, 'none'];

const workflowNames: Parse<readonly string[]> = (text, option, before = []) => [
  ...before,
  oneOf(WORKFLOW_NAMES)(text, option),
];

export const INIT = {
  '--url <base-url>': 'address of the site',
  '--source <dir>': 'folder that the site is deployed from, relative to [dir] (default: detected)',
  '--host <kind>': read(`kind of host: ${HOST_NAMES_HELP} (default: detected)`, hostNameOf),
  '--workflow <kind>': { ...read('workflow to write (repeatable)', workflowNames), choices: WORKFLOW_NAMES },
  '--hosting': "also write the host's configuration",
  '--no-hosting': "do not write the host's configuration",
  '--monitor': "also write the monitor's settings",
  '--no-monitor': "do not write the monitor's settings",
  '--llms-txt': 'only write llms.txt, from the navigation of the site',
  '--yes': 'ask no questions: accept what was detected',
  '--dry-run': 'print what would be written, and write nothing',
  '--force': 'overwrite existing files',
} satisfies Options;

export type InitFlags = Partial<FlagsOf<typeof INIT & typeof SHARED>>;
