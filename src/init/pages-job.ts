import path from 'node:path';
import { below, namesIn, readText } from './files.ts';
import { WORKFLOW_FILES } from './workflows/kinds.ts';

/** A job that deploys to GitHub Pages already. */
export interface PagesJob {
  /** Relative to the root of the repository. */
  readonly file: string;
  readonly job: string;
  /** The folder that is uploaded, if the workflow says it in plain words. */
  readonly folder: string | null;
}

/** Finds the workflow of a repository that deploys to GitHub Pages; `null`: none but ours. */
export async function findPagesJob(root: string): Promise<PagesJob | null> {
  const folder = path.join(root, '.github/workflows');
  for (const name of (await namesIn(folder)).filter((file) => /\.ya?ml$/.test(file))) {
    const file = below(root, path.join(folder, name));
    if (file === WORKFLOW_FILES.pages) continue;
    const text = (await readText(path.join(folder, name))) ?? '';
    const found = text.includes('actions/deploy-pages@') ? await readJob(text) : null;
    if (found !== null) return { file, ...found };
  }
  return null;
}

interface Step {
  readonly uses?: unknown;
  readonly with?: { readonly path?: unknown } | null;
}

/** What the text of a workflow says; a broken one says nothing. */
async function readJob(text: string): Promise<Omit<PagesJob, 'file'> | null> {
  const { parse } = await import('yaml');
  let workflow: unknown;
  try {
    workflow = parse(text, { maxAliasCount: 100 });
  } catch {
    return null;
  }
  const { jobs } = Object(workflow) as { jobs?: unknown };
  const stepsOf = (job: unknown): readonly Step[] => {
    const { steps } = Object(job) as { steps?: unknown };
    return Array.isArray(steps) ? steps.map((step) => Object(step) as Step) : [];
  };
  const uses = (step: Step, action: string): boolean => String(step.uses).startsWith(`${action}@`);
  const entries = Object.entries(Object(jobs) as Record<string, unknown>);
  const job = entries.find(([, one]) => stepsOf(one).some((step) => uses(step, 'actions/deploy-pages')))?.[0];
  if (job === undefined) return null;
  const upload = entries.flatMap(([, one]) => stepsOf(one)).find((step) => uses(step, 'actions/upload-pages-artifact'))
    ?.with?.path;
  return { job, folder: typeof upload === 'string' && !upload.includes('${{') ? upload : null };
}
