/** Reads the values of `docvitals init`'s options. Each throws a `UsageError` that names the option. */
import { parseBaseUrl } from '../base-url.ts';
import { nearest } from '../config/nearest.ts';
import { printable } from '../printable.ts';
import { echoed } from '../project/echoed.ts';
import { UsageError } from '../project/usage-error.ts';
import { WORKFLOW_KINDS, type WorkflowKind } from './workflows/kinds.ts';

/** A base URL, for a file that is committed: without a password. */
export function siteUrlOf(text: string): string {
  if (text.trim() === '') throw new UsageError((messages) => messages.missingValue('--url'));
  const site = parseBaseUrl(text);
  if (!site.ok) throw new UsageError((messages) => messages.baseUrl(site.problem, printable(site.given)));
  if (site.site.href !== site.base.href) throw new UsageError((messages) => messages.secretInUrl('--url'));
  return site.base.href;
}

/** `--workflow pages --workflow nightly`, or `--workflow none`: each once, in the order of the list. */
export function workflowsOf(
  text: string,
  before: readonly (WorkflowKind | 'none')[] = [],
): readonly (WorkflowKind | 'none')[] {
  const known = [...WORKFLOW_KINDS, 'none'] as const;
  const kind = known.find((one) => one === text);
  if (text === '') throw new UsageError((messages) => messages.missingValue('--workflow'));
  if (kind === undefined) {
    const guess = nearest(text, known) ?? null;
    throw new UsageError((messages) => messages.unknownWorkflow(echoed(text), known.join(', '), guess));
  }
  const all = known.filter((one) => one === kind || before.includes(one));
  const [first = ''] = all;
  if (all.length > 1 && all.includes('none')) {
    throw new UsageError((messages) => messages.exclusive(`--workflow ${first}`, '--workflow none'));
  }
  return all;
}
