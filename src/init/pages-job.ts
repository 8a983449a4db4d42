import path from 'node:path';
import { below, namesIn, readText } from './files.ts';
import { PUSHES_PAGES } from './package.ts';
import { ACTION_REPOSITORY } from './workflows/actions.ts';
import { WORKFLOW_FILES } from './workflows/kinds.ts';

/** A job that deploys to GitHub Pages already. */
export interface PagesJob {
  /** Relative to the root of the repository. */
  readonly file: string;
  readonly job: string;
  /** The folder that is deployed, if the workflow says it in plain words. */
  readonly folder: string | null;
  /** Its workflow runs docvitals already. */
  readonly isChecked: boolean;
}

/** Actions that deploy to GitHub Pages, in lower case, with the input that names the folder. */
const DEPLOYERS: Readonly<Record<string, string | null>> = {
  'actions/deploy-pages': null,
  'peaceiris/actions-gh-pages': 'publish_dir',
  'jamesives/github-pages-deploy-action': 'folder',
  'crazy-max/ghaction-github-pages': 'build_dir',
};

/**
 * Finds the workflow of a repository that deploys to GitHub Pages; `null`: none but ours. `scripts` are those of
 * package.json that deploy when they are run.
 */
export async function findPagesJob(root: string, scripts: readonly string[]): Promise<PagesJob | null> {
  const folder = path.join(root, '.github/workflows');
  for (const name of (await namesIn(folder)).filter((file) => /\.ya?ml$/.test(file))) {
    const file = below(root, path.join(folder, name));
    if (file === WORKFLOW_FILES.pages) continue;
    const text = (await readText(path.join(folder, name))) ?? '';
    const found = /pages/i.test(text) || scripts.length > 0 ? await readJob(text, scripts) : null;
    if (found !== null) return { file, ...found, isChecked: text.includes(`${ACTION_REPOSITORY}@`) };
  }
  return null;
}

interface Step {
  readonly uses?: unknown;
  readonly run?: unknown;
  readonly with?: Readonly<Record<string, unknown>> | null;
}

/** What the text of a workflow says; a broken one says nothing. */
async function readJob(text: string, scripts: readonly string[]): Promise<Pick<PagesJob, 'job' | 'folder'> | null> {
  const { parseWorkflow } = await import('./workflow-yaml.ts');
  const workflow = parseWorkflow(text);
  if (workflow === null) return null;
  const { jobs } = Object(workflow) as { jobs?: unknown };
  const steps = Object.entries(Object(jobs) as Record<string, unknown>).flatMap(([job, one]) =>
    stepsOf(one).map((step) => ({ job, step })),
  );
  const deploying = steps.find(({ step }) => deploys(step, scripts));
  if (deploying === undefined) return null;
  const upload = steps.find(({ step }) => actionOf(step) === 'actions/upload-pages-artifact');
  const folder = deployedBy(deploying.step) ?? upload?.step.with?.['path'];
  return { job: deploying.job, folder: typeof folder === 'string' && !folder.includes('$') ? folder : null };
}

function stepsOf(job: unknown): readonly Step[] {
  const { steps } = Object(job) as { steps?: unknown };
  return Array.isArray(steps) ? steps.map((step) => Object(step) as Step) : [];
}

/** The action of a step without its version, in lower case, as GitHub compares it. */
const actionOf = ({ uses }: Step): string => String(uses).replace(/@.*$/s, '').toLowerCase();

function deploys(step: Step, scripts: readonly string[]): boolean {
  if (Object.hasOwn(DEPLOYERS, actionOf(step))) return true;
  if (typeof step.run !== 'string') return false;
  return PUSHES_PAGES.test(step.run) || step.run.split('\n').some((line) => runsOne(line, scripts));
}

/** Whether a command has a package manager run one of the scripts. */
function runsOne(command: string, scripts: readonly string[]): boolean {
  const words = command.split(/[\s;&|]+/);
  const manager = words.findIndex((word) => /^(?:npm|pnpm|yarn|bun)$/.test(word));
  return manager !== -1 && words.slice(manager + 1).some((word) => scripts.includes(word));
}

function deployedBy(step: Step): unknown {
  const input = DEPLOYERS[actionOf(step)] ?? null;
  if (input !== null) return step.with?.[input];
  return typeof step.run === 'string' ? PUSHES_PAGES.exec(step.run)?.[1] : undefined;
}
