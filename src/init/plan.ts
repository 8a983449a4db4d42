import path from 'node:path';
import { SCHEMA_URL } from '../config/config.ts';
import { isReachable, type Answers } from './answers.ts';
import { checkCommand, hostingFiles, hostingOffer } from './hosting.ts';
import type { Project } from './detect.ts';
import type { PagesJob } from './pages-job.ts';
import { WORKFLOW_FILES, WORKFLOW_KINDS, type WorkflowKind } from './workflow-kinds.ts';
import { checkJob, workflowScalar, workflowText, yamlScalar, type WorkflowSite } from './workflows.ts';

export interface PlannedFile {
  /** Relative to the plan's root, with forward slashes. */
  readonly file: string;
  readonly text: string;
  /** Names of files that the host reads instead of it. */
  readonly rivals?: RegExp;
  /** Another file of the plan that this one needs. */
  readonly needs?: string;
  /** The command that explains the contents. */
  readonly explanation?: string;
}

/** What the user has to know or do besides. */
export type Note =
  /** A configuration with another name exists, so none is written. */
  | { readonly kind: 'configured'; readonly file: string }
  /** A workflow already deploys to GitHub Pages: add this job to it. */
  | { readonly kind: 'paste'; readonly file: string; readonly text: string }
  /** The command for a CI that cannot run the workflows. */
  | { readonly kind: 'command'; readonly forge: 'gitlab' | 'other' | 'none'; readonly command: string }
  /** No configuration exists for this host. */
  | { readonly kind: 'no-hosting'; readonly provider: string }
  /** The user has to name the deployed folder in this file; the site is below it, in `base`, unless that is `null`. */
  | { readonly kind: 'deployed-folder'; readonly file: string; readonly base: string | null }
  | { readonly kind: 'workflow'; readonly workflow: WorkflowKind }
  /** GitHub cannot reach the address. `isWritten`: the workflows were requested nevertheless. */
  | { readonly kind: 'unreachable'; readonly url: string; readonly isWritten: boolean }
  /** The command that starts the monitor. */
  | { readonly kind: 'monitor'; readonly command: string; readonly isWanted: boolean }
  | { readonly kind: 'check' };

export interface Plan {
  /** The root of the repository, else the folder itself; an absolute path. */
  readonly root: string;
  readonly files: readonly PlannedFile[];
  readonly notes: readonly Note[];
}

export const CONFIG = 'docvitals.yaml';

/** The address of the monitor's status page. */
const MONITOR_ADDRESS = '127.0.0.1:9464';

/** A docvitals.yaml with the schema for editors. */
function configText({ url, source, host, language, monitor }: Answers): string {
  const lines = [
    `# yaml-language-server: $schema=${SCHEMA_URL}`,
    // `$` begins an environment variable.
    `url: ${yamlScalar(url.replaceAll('$', '$$$$'))}`,
    ...(source === null ? [] : [`source: ${yamlScalar(source)}`]),
    ...(host === null ? [] : [`host: ${host}`]),
    `language: ${language}`,
    ...(monitor ? ['monitor:', `  listen: ${MONITOR_ADDRESS}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** `existing`: the file of the configuration. */
export function makePlan(answers: Answers, project: Project, existing: string | null): Plan {
  const root = project.repository?.root ?? project.folder;
  const inRoot = (file: string): string => path.posix.join(project.prefix, file);
  const site = workflowSite(answers, project, existing ?? CONFIG);
  const pasted = project.pagesJob !== null && answers.workflows.includes('pages') ? project.pagesJob : null;
  const workflows = WORKFLOW_KINDS.filter(
    (kind) => answers.workflows.includes(kind) && (kind !== 'pages' || pasted === null),
  );
  const configured = existing !== null && existing !== CONFIG ? existing : null;
  const hosting = hostingPlan(answers, project);
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
      ...unreachableNote(answers, project),
      ...commandNote(answers, project, site),
      monitorNote(answers, existing),
      { kind: 'check' },
    ],
  };
}

function pasteNote({ url }: Answers, site: WorkflowSite, job: PagesJob | null): readonly Note[] {
  if (job === null || job.isChecked) return [];
  return [{ kind: 'paste', file: job.file, text: checkJob(site, job.job, workflowScalar(url)) }];
}

function unreachableNote({ url, workflows }: Answers, project: Project): readonly Note[] {
  const isWritten = workflows.length > 0;
  if (isReachable(url) || (!isWritten && project.repository?.remote?.forge !== 'github')) return [];
  return [{ kind: 'unreachable', url, isWritten }];
}

function monitorNote({ monitor }: Answers, existing: string | null): Note {
  const listen = monitor && existing === null ? '' : ` --listen ${MONITOR_ADDRESS}`;
  return { kind: 'monitor', command: `docvitals monitor${listen}`, isWanted: monitor };
}

function hostingPlan(
  { hosting, host, product, url, source }: Answers,
  { hosts, prefix }: Project,
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

function workflowSite(answers: Answers, { prefix, repository, site }: Project, config: string): WorkflowSite {
  return {
    url: answers.url,
    source: answers.source === null ? null : path.posix.join(prefix, answers.source),
    branch: repository?.branch ?? 'main',
    config: path.posix.join(prefix, config),
    writesVersion: site?.hasVersion !== true || site.folder !== answers.source,
  };
}

/** Without a workflow: the command to run after each deployment. */
function commandNote({ url, workflows }: Answers, { repository }: Project, site: WorkflowSite): readonly Note[] {
  const forge = repository?.remote?.forge ?? 'none';
  if (forge === 'github' || workflows.length > 0) return [];
  return [{ kind: 'command', forge, command: checkCommand(url, site.source, site.config ?? CONFIG) }];
}
