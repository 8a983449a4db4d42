/** What is to be written, and what is to be said about it. Pure. */
import path from 'node:path';
import { hostConfiguration } from '../hosting/configuration.ts';
import type { HostKind } from '../check.ts';
import type { Answers } from './answers.ts';
import { configText } from './config-text.ts';
import type { Seen } from './look.ts';
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
}

/** What whoever runs it has to know or do besides. */
export type Note =
  /** There is a configuration of another name, so that none is written. */
  | { readonly kind: 'configured'; readonly file: string }
  /** A workflow deploys to GitHub Pages already: this job belongs into it. */
  | { readonly kind: 'paste'; readonly file: string; readonly text: string }
  /** The command for a CI that runs none of the workflows. */
  | { readonly kind: 'command'; readonly forge: 'gitlab' | 'other' | 'none'; readonly command: string }
  /** What a workflow needs besides its file. */
  | { readonly kind: 'workflow'; readonly workflow: WorkflowKind }
  | { readonly kind: 'check' };

export interface Plan {
  /** The root of the repository, else the folder itself; an absolute path. */
  readonly root: string;
  readonly files: readonly PlannedFile[];
  readonly notes: readonly Note[];
}

const CONFIG = 'docvitals.yaml';

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
  return {
    root,
    files: [
      ...(configured === null ? [{ file: inRoot(CONFIG), text: configText(answers) }] : []),
      ...workflows.map((kind) => ({ file: WORKFLOW_FILES[kind], text: workflowText(kind, site) })),
      ...hostingFiles(answers).map(({ file, text }) => ({ file: inRoot(file), text })),
    ],
    notes: [
      ...(configured === null ? [] : [{ kind: 'configured', file: inRoot(configured) } as const]),
      ...(pasted === null
        ? []
        : [
            {
              kind: 'paste',
              file: pasted.file,
              text: checkJob(site, pasted.job, workflowScalar(answers.url)),
            } as const,
          ]),
      ...workflows.map((workflow) => ({ kind: 'workflow', workflow }) as const),
      ...commandNote(answers, seen),
      { kind: 'check' },
    ],
  };
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
function commandNote({ url, source, workflows }: Answers, { repository }: Seen): readonly Note[] {
  const forge = repository?.remote?.forge ?? 'none';
  if (forge === 'github' || workflows.length > 0) return [];
  const compared = source === null ? '' : ` --source ${shellWord(source)}`;
  return [{ kind: 'command', forge, command: `npx docvitals check ${shellWord(url)}${compared} --full --wait 10m` }];
}

/** A word of a POSIX shell's command line. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Where the files of each kind belong, below the folder. */
function hostingFiles({ hosting, host, url, source }: Answers): readonly PlannedFile[] {
  if (!hosting || host === null) return [];
  const { pathname } = new URL(url);
  const { files, notes } = hostConfiguration({ kind: host, base: pathname, improved: true });
  const folder = PLACES[host]({ source: source ?? '.', base: pathname });
  return [...files, ...(notes === null ? [] : [notes])].map(({ name, text }) => ({
    file: path.posix.join(folder, name),
    text: host === 'worker' && pathname === '/' ? deploying(text, source) : text,
  }));
}

const PLACES: Readonly<Record<HostKind, (site: { source: string; base: string }) => string>> = {
  server: () => '.',
  worker: () => '.',
  // At the root of what is deployed: below a base path, that is where the path begins.
  platform: ({ source, base }) => {
    const depth = base.split('/').filter((segment) => segment !== '');
    const above = depth.map(() => '..').join('/');
    const isBelow = `/${source}/`.endsWith(base);
    return base === '/' ? source : path.posix.join(isBelow ? source : '.', isBelow ? above : '.');
  },
};

/** The worker's settings name the folder of the deployed files. */
function deploying(text: string, source: string | null): string {
  if (source === null) return text;
  return text.replace(
    '"directory": "./public"',
    () => `"directory": ${JSON.stringify(source === '.' ? './' : `./${source}`)}`,
  );
}
