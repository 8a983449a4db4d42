/** Deployments to GitHub Pages that a project already has: in workflows and in package.json. */
import path from 'node:path';
import { parseBaseUrl } from '../base-url.ts';
import { namesIn, readText, relativePath } from './files.ts';
import { WORKFLOW_FILES } from './options.ts';
import { ACTION_REPOSITORY } from './workflows.ts';

/** A command that pushes to the branch of GitHub Pages, and the folder that it names. */
const PUSHES_PAGES =
  /(?<![\w-])gh-pages[ \t][^\n]{0,200}?(?:-d|--dist)(?:[ \t]+|=)["']?([^\s"']+)|\bgit\b[^\n]{0,200}?\bpush\b[^\n]{0,200}?\bgh-pages\b/;

/**
 * What package.json says: `homepage`, unless that is the address of the code, and whether a script pushes to GitHub Pages.
 */
export async function readPackage(folder: string) {
  const text = await readText(path.join(folder, 'package.json'));
  try {
    const { homepage, scripts } = Object(JSON.parse(text ?? 'null')) as { homepage?: unknown; scripts?: unknown };
    const commands = Object.values(Object(scripts) as Record<string, unknown>);
    return { homepage: siteOf(homepage), pushesPages: commands.some((script) => PUSHES_PAGES.test(String(script))) };
  } catch {
    return { homepage: null, pushesPages: false };
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

/** Finds a job that deploys to GitHub Pages, except our own. */
export async function findPagesJob(root: string): Promise<PagesJob | null> {
  const folder = path.join(root, '.github/workflows');
  for (const name of (await namesIn(folder)).filter((file) => /\.ya?ml$/.test(file))) {
    const file = relativePath(root, path.join(folder, name));
    if (file === WORKFLOW_FILES.pages) continue;
    const text = (await readText(path.join(folder, name))) ?? '';
    const found = /pages/i.test(text) ? await readJob(text) : null;
    if (found !== null) return { file, ...found, isChecked: text.includes(`${ACTION_REPOSITORY}@`) };
  }
  return null;
}

interface Step {
  readonly uses?: unknown;
  readonly run?: unknown;
  readonly with?: Readonly<Record<string, unknown>> | null;
}

async function readJob(text: string): Promise<Pick<PagesJob, 'job' | 'folder'> | null> {
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
  const deploying = steps.find(({ step }) => deploys(step));
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

const deploys = (step: Step): boolean =>
  Object.hasOwn(DEPLOYERS, actionOf(step)) || (typeof step.run === 'string' && PUSHES_PAGES.test(step.run));

function deployedBy(step: Step): unknown {
  const input = DEPLOYERS[actionOf(step)] ?? null;
  if (input !== null) return step.with?.[input];
  return typeof step.run === 'string' ? PUSHES_PAGES.exec(step.run)?.[1] : undefined;
}
