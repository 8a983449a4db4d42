/** The pages about CI show what `action.yml` and `docvitals init` have. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { WORKFLOW_FILES, WORKFLOW_KINDS } from '../../src/init/options.ts';
import { CHECKOUT, DOCVITALS, workflowText } from '../../src/init/workflows.ts';
import { EXAMPLE } from '../init/project.ts';
import { blocks, expectPart, ROOT, textOf } from './pages.ts';

const GUIDE = 'docs/guides/github.md';

const action = parse(readFileSync(path.join(ROOT, 'action.yml'), 'utf8')) as {
  readonly inputs: Readonly<Record<string, object>>;
};

interface Step {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

describe('the generated parts on the Action', () => {
  it('show a step', async () => {
    const text = `- uses: ${CHECKOUT}
- uses: ${DOCVITALS}
  with:
    url: https://docs.example.com/
    source: docs
    wait: 10m
    full: true
`;
    for (const page of ['README.md', GUIDE]) await expectPart(page, 'action', () => ({ fence: 'yml', text }));
  });

  it('show the ready-made workflows', async () => {
    for (const kind of WORKFLOW_KINDS) {
      await expectPart(GUIDE, `workflow-${kind}`, () => ({ fence: 'yml', text: workflowText(kind, EXAMPLE) }));
      expect(textOf(GUIDE)).toContain(`\`${WORKFLOW_FILES[kind]}\`, written by \`docvitals init --workflow ${kind}\``);
    }
  });
});

describe('the steps', () => {
  const steps = blocks('yml')
    .map((text) => parse(text) as unknown)
    .filter((value): value is Step[] => Array.isArray(value))
    .flat()
    .filter(({ uses }) => uses === DOCVITALS);

  it('have inputs of the Action', () => {
    expect(steps.length).toBeGreaterThan(2);
    for (const step of steps)
      expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(step.with ?? {})));
  });
});
