/** What is to be written, and what is to be said about it. Pure. */
import path from 'node:path';
import { isReachable, type Answers } from './answers.ts';
import { configText, MONITOR_ADDRESS } from './config-text.ts';
import { checkCommand, hostingFiles, hostingOffer } from './hosting.ts';
import type { Seen } from './look.ts';
import type { PagesJob } from './pages-job.ts';
import { WORKFLOW_FILES, WORKFLOW_KINDS, type WorkflowKind } from './workflows/kinds.ts';
import { checkJob } from './workflows/pages.ts';
import type { WorkflowSite } from './workflows/steps.ts';
import { workflowText } from './workflows/text.ts';
import { workflowScalar } from './yaml-scalar.ts';

/** A file as it is to be. */
export interface PlannedFile {
  /** Relative to the plan's root, with forward slashes. */
  readonly file: string;
  readonly text: string;
  /** Names of files that stand for it: where one lies beside it, that one exists. */
  readonly rivals?: RegExp;
  /** Another file of the plan without which this one is of no use. */
  readonly needs?: string;
  /** The command that tells what the file has to say, and why. */
  readonly explanation?: string;
}

/** What whoever runs it has to know or do besides. */
export type Note =
  /** There is a configuration of another name, so that none is written. */
  | { readonly kind: 'configured'; readonly file: string }
  /** A workflow deploys to GitHub Pages already: this job belongs into it. */
  | { readonly kind: 'paste'; readonly file: string; readonly text: string }
  /** The command for a CI that runs none of the workflows. */
  | { readonly kind: 'command'; readonly forge: 'gitlab' | 'other' | 'none'; readonly command: string }
  /** There is no configuration for this host. */
  | { readonly kind: 'no-hosting'; readonly provider: string }
  /** The file in which the deployed folder has to be named; the site lies below it, in `base`, unless that is `null`. */
  | { readonly kind: 'deployed-folder'; readonly file: string; readonly base: string | null }
  /** What a workflow needs besides its file. */
  | { readonly kind: 'workflow'; readonly workflow: WorkflowKind }
  /** GitHub cannot reach the address: `isWritten`: the workflows were asked for all the same. */
  | { readonly kind: 'unreachable'; readonly url: string; readonly isWritten: boolean }
  /** How the monitor is started; `isWanted`: it was asked for. */
  | { readonly kind: 'monitor'; readonly command: string; readonly isWanted: boolean }
  | { readonly kind: 'check' };

export interface Plan {
  /** The root of the repository, else the folder itself; an absolute path. */
  readonly root: string;
  readonly files: readonly PlannedFile[];
  readonly notes: readonly Note[];
}

/** The configuration that is written. */
export const CONFIG = 'docvitals.yaml';

/** `existing`: the configuration that is there already, if there is one. */
export function makePlan(answers: Answers, seen: Seen, existing: string | null): Plan {
  const root = seen.repository?.root ?? seen.folder;
  const inRoot = (file: string): string => path.posix.join(seen.prefix, file);
  const site = workflowSite(answers, seen, existing ?? CONFIG);
  const pasted = seen.pagesJob !== null && answers.workflows.includes('pages') ? seen.pagesJob : null;
  const workflows = WORKFLOW_KINDS.filter(
    (kind) => answers.workflows.includes(kind) && (kind !== 'pages' || pasted === null),
  );
  const configured = existing !== null && existing !== CONFIG ? existing : null;
  const hosting = hostingPlan(answers, seen);
  return {
    root,
    files: [
      ...(configured === null ? [{ file: inRoot(CONFIG), text: configText(answers) }] : []),
      ...workflows.map((kind) => ({ file: WORKFLOW_FILES[kind], text: workflowText(kind, site) })),
      ...hosting.files.map(({ file, needs, ...rest }) => ({
        ...rest,
        file: inRoot(file),
        ...(needs === undefined ? {} : { needs: inRoot(needs) }),
      })),
    ],
    notes: [
      ...(configured === null ? [] : [{ kind: 'configured', file: inRoot(configured) } as const]),
      ...pasteNote(answers, site, pasted),
      ...hosting.notes,
      ...workflows.map((workflow) => ({ kind: 'workflow', workflow }) as const),
      ...unreachableNote(answers, seen),
      ...commandNote(answers, seen, site),
      monitorNote(answers, existing),
      { kind: 'check' },
    ],
  };
}

function pasteNote({ url }: Answers, site: WorkflowSite, job: PagesJob | null): readonly Note[] {
  if (job === null || job.isChecked) return [];
  return [{ kind: 'paste', file: job.file, text: checkJob(site, job.job, workflowScalar(url)) }];
}

function unreachableNote({ url, workflows }: Answers, seen: Seen): readonly Note[] {
  const isWritten = workflows.length > 0;
  if (isReachable(url) || (!isWritten && seen.repository?.remote?.forge !== 'github')) return [];
  return [{ kind: 'unreachable', url, isWritten }];
}

function monitorNote({ monitor }: Answers, existing: string | null): Note {
  const listen = monitor && existing === null ? '' : ` --listen ${MONITOR_ADDRESS}`;
  return { kind: 'monitor', command: `docvitals monitor${listen}`, isWanted: monitor };
}

function hostingPlan(
  { hosting, host, product, url, source }: Answers,
  { hosts, prefix }: Seen,
): Pick<Plan, 'files' | 'notes'> {
  const offer = hosting ? hostingOffer(host, hosts, product) : null;
  if (offer === null) return { files: [], notes: [] };
  if (!offer.ok) return { files: [], notes: [{ kind: 'no-hosting', provider: offer.provider }] };
  const site = new URL(url);
  const { pathname: base } = site;
  const { files, unnamed } = hostingFiles(offer, { url: site, source });
  if (unnamed === null) return { files, notes: [] };
  const file = path.posix.join(prefix, unnamed);
  return { files, notes: [{ kind: 'deployed-folder', file, base: base === '/' ? null : base.slice(1) }] };
}

function workflowSite(answers: Answers, { prefix, repository, site }: Seen, config: string): WorkflowSite {
  return {
    url: answers.url,
    source: answers.source === null ? null : path.posix.join(prefix, answers.source),
    branch: repository?.branch ?? 'main',
    config: path.posix.join(prefix, config),
    writesVersion: site?.hasVersion !== true || site.folder !== answers.source,
  };
}

/** Where there is no workflow to do it, the command that does the same after each deploy. */
function commandNote({ url, workflows }: Answers, { repository }: Seen, site: WorkflowSite): readonly Note[] {
  const forge = repository?.remote?.forge ?? 'none';
  if (forge === 'github' || workflows.length > 0) return [];
  return [{ kind: 'command', forge, command: checkCommand(url, site.source, site.config ?? CONFIG) }];
}
