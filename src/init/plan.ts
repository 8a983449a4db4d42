import path from 'node:path';
import { SCHEMA_URL } from '../config/config.ts';
import type { InitWords } from '../generated/locales/init.ts';
import { printable } from '../printable.ts';
import { shellPath, shellWord } from '../shell-word.ts';
import { isReachable, type Answers } from './answers.ts';
import { hostingFiles, hostingOffer } from './hosting.ts';
import type { Project } from './detect.ts';
import { WORKFLOW_FILES, WORKFLOW_KINDS } from './options.ts';
import { checkJob, PACKAGE, workflowScalar, workflowText, yamlScalar, type WorkflowSite } from './workflows.ts';

export interface PlannedFile {
  /** Relative to the plan's root, with forward slashes. */
  readonly file: string;
  readonly text: string;
  /** Names of files that the host reads instead of it. */
  readonly rivals?: RegExp;
  /** Another file of the plan that this one needs. */
  readonly needs?: string;
  readonly explanation?: string;
}

export interface Plan {
  readonly root: string;
  readonly files: readonly PlannedFile[];
  /** What the user has to know or do besides, in words. */
  readonly notes: readonly string[];
}

export const CONFIG = 'docvitals.yaml';

const MONITOR_ADDRESS = '127.0.0.1:9464';

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

export function makePlan(answers: Answers, project: Project, existing: string | null, words: InitWords): Plan {
  const inRoot = (file: string): string => path.posix.join(project.prefix, file);
  const site = workflowSite(answers, project, existing ?? CONFIG);
  const pasted = answers.workflows.includes('pages') ? project.pagesJob : null;
  const workflows = WORKFLOW_KINDS.filter(
    (kind) => answers.workflows.includes(kind) && (kind !== 'pages' || pasted === null),
  );
  const configured = existing !== null && existing !== CONFIG ? existing : null;
  const hosting = hostingPlan(answers, project, words);
  return {
    root: project.repository?.root ?? project.folder,
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
      ...(configured === null ? [] : [words.configured(printable(inRoot(configured)))]),
      ...pasteNote(answers, site, pasted, words),
      ...hosting.notes,
      ...workflows.map((kind) => words.afterwards[kind]),
      ...workflowNotes(answers, project, site, words),
      monitorNote(answers, existing, words),
    ],
  };
}

/** A workflow already deploys to GitHub Pages: the job is added to it by hand. */
function pasteNote({ url }: Answers, site: WorkflowSite, job: Project['pagesJob'], words: InitWords) {
  if (job === null || job.isChecked) return [];
  return [`${words.paste(printable(job.file))}\n\n${checkJob(site, job.job, workflowScalar(url)).trimEnd()}`];
}

function monitorNote({ monitor }: Answers, existing: string | null, words: InitWords): string {
  const command = `docvitals monitor${monitor && existing === null ? '' : ` --listen ${MONITOR_ADDRESS}`}`;
  return monitor ? words.monitor(command) : words.monitorOffer(command);
}

function hostingPlan({ hosting, host, product, url, source }: Answers, { hosts, prefix }: Project, words: InitWords) {
  const offer = hosting ? hostingOffer(host, hosts, product) : null;
  if (offer === null) return { files: [], notes: [] };
  if (!offer.ok) return { files: [], notes: [words.noHosting(printable(offer.provider))] };
  const site = new URL(url);
  const { pathname: base } = site;
  const { files, unnamed } = hostingFiles(offer, site, source);
  if (unnamed === null) return { files, notes: [] };
  const file = printable(path.posix.join(prefix, unnamed));
  return { files, notes: [words.deployedFolder(file, base === '/' ? null : printable(base.slice(1)))] };
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

/** Where GitHub cannot reach the site; where no workflow can run, the command to run after each deployment. */
function workflowNotes({ url, workflows }: Answers, { repository }: Project, site: WorkflowSite, words: InitWords) {
  const { source, config } = site;
  const forge = repository?.remote?.forge ?? 'none';
  const isWritten = workflows.length > 0;
  if (isWritten || forge === 'github') return isReachable(url) ? [] : [words.unreachable(printable(url), isWritten)];
  const configured = config?.includes('/') ? ` --config ${shellPath(config)}` : '';
  const compared = source === null ? '' : ` --source ${shellPath(source)}`;
  const command = `npx --yes ${PACKAGE} check ${shellWord(url)}${configured}${compared} --full --wait 10m`;
  return [`${words.command(forge === 'gitlab' ? 'GitLab' : null)}\n  ${printable(command)}`];
}
