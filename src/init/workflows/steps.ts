/** Pieces that the ready-made workflows share. */
import { workflowScalar } from '../yaml-scalar.ts';
import { CHECKOUT, DOCVITALS } from './actions.ts';

/** What a workflow has to know of a site. Paths are relative to the root of the repository, with forward slashes. */
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

/** The branch that is deployed, as a filter of an event has it. */
export function branchFilter({ branch }: WorkflowSite): string {
  return workflowScalar(branch.replaceAll(/[+!]/g, String.raw`\$&`));
}

/** Inputs of the action: values of ours come quoted where they must be, expressions as they are. */
type Inputs = readonly (readonly [name: string, value: string | null])[];

/** The step that checks out what is compared with the site. `ref` is an expression. */
export function checkoutStep(ref: string | null = null): string {
  return `      - uses: ${CHECKOUT}
        with:
${ref === null ? '' : `          ref: ${ref}\n`}          persist-credentials: false
          # Enough history to name the version that is live when it is an old one.
          fetch-depth: 50
`;
}

/** The step that checks the site. */
export function checkStep(inputs: Inputs): string {
  const lines = inputs.flatMap(([name, value]) => (value === null ? [] : [`          ${name}: ${value}\n`]));
  return `      - uses: ${DOCVITALS}
        with:
${lines.join('')}`;
}

/** The configuration as an input, where it is not found by itself: anywhere but at the root. */
export function configInput({ config }: WorkflowSite): string | null {
  return config?.includes('/') === true ? workflowScalar(config) : null;
}

export function scalarOrNull(text: string | null): string | null {
  return text === null ? null : workflowScalar(text);
}
