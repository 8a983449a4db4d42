/** Deployments to GitHub Pages that a project already has: in workflows and in package.json. */
import path from 'node:path';
import { parseBaseUrl } from '../base-url.ts';
import { namesIn, readText, relativePath } from './files.ts';
import { WORKFLOW_FILES } from './workflow-kinds.ts';
import { ACTION_REPOSITORY } from './workflows.ts';

interface PackageFacts {
  /** Its `homepage`, unless that is the address of the code. */
  readonly homepage: string | null;
  /** Names of the scripts that push to GitHub Pages. */
  readonly pagesScripts: readonly string[];
}

/** A command that pushes to the branch of GitHub Pages, and the folder that it names. */
const PUSHES_PAGES =
  /(?<![\w-])gh-pages[ \t][^\n]{0,200}?(?:-d|--dist)(?:[ \t]+|=)["']?([^\s"']+)|\bgit\b[^\n]{0,200}?\bpush\b[^\n]{0,200}?\bgh-pages\b/;

export async function readPackage(folder: string): Promise<PackageFacts> {
  const text = await readText(path.join(folder, 'package.json'));
  try {
    const { homepage, scripts } = Object(JSON.parse(text ?? 'null')) as { homepage?: unknown; scripts?: unknown };
    const entries = Object.entries(Object(scripts) as Record<string, unknown>);
    return {
      homepage: siteOf(homepage),
      pagesScripts: entries.flatMap(([name, script]) => (PUSHES_PAGES.test(String(script)) ? [name] : [])),
    };
  } catch {
    return { homepage: null, pagesScripts: [] };
  }
}

function siteOf(homepage: unknown): string | null {
  const site = parseBaseUrl(typeof homepage === 'string' ? homepage : '');
  if (!site.ok || /(?:^|\.)(?:github|gitlab|npmjs|bitbucket)\.(?:com|org)$/.test(site.base.hostname)) return null;
  return site.base.href;
}

export interface PagesJob {
  readonly file: string;
  readonly job: string;
  /** The deployed folder, if the workflow names it without an expression. */
  readonly folder: string | null;
  readonly isChecked: boolean;
}

/** Actions that deploy to GitHub Pages, in lower case, with the input that names the folder. */
const DEPLOYERS: Readonly<Record<string, string | null>> = {
  'actions/deploy-pages': null,
  'peaceiris/actions-gh-pages': 'publish_dir',
  'jamesives/github-pages-deploy-action': 'folder',
  'crazy-max/ghaction-github-pages': 'build_dir',
};

/** Finds a job that deploys to GitHub Pages, except our own. `scripts`: those of package.json that deploy. */
export async function findPagesJob(root: string, scripts: readonly string[]): Promise<PagesJob | null> {
  const folder = path.join(root, '.github/workflows');
  for (const name of (await namesIn(folder)).filter((file) => /\.ya?ml$/.test(file))) {
    const file = relativePath(root, path.join(folder, name));
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

async function readJob(text: string, scripts: readonly string[]): Promise<Pick<PagesJob, 'job' | 'folder'> | null> {
  // The parser is large.
  const { parse } = await import('yaml');
  let workflow: unknown = null;
  try {
    workflow = parse(text, { maxAliasCount: 100 });
  } catch {
    return null;
  }
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

const actionOf = ({ uses }: Step): string => String(uses).replace(/@.*$/s, '').toLowerCase();

function deploys(step: Step, scripts: readonly string[]): boolean {
  if (Object.hasOwn(DEPLOYERS, actionOf(step))) return true;
  if (typeof step.run !== 'string') return false;
  return PUSHES_PAGES.test(step.run) || step.run.split('\n').some((line) => runsOne(line, scripts));
}

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
