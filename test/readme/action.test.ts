/** What the README says of the GitHub Action is what `action.yml` and `docvitals init` have. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'vitest';
import { parse } from 'yaml';
import { WORKFLOW_FILES, WORKFLOW_KINDS, type WorkflowKind } from '../../src/init/workflow-kinds.ts';
import { CHECKOUT, DOCVITALS, workflowText } from '../../src/init/workflows.ts';
import { expectPart, ROOT } from './parts.ts';

interface Described {
  readonly description: string;
  readonly required?: boolean;
  readonly default?: string;
}

const action = parse(readFileSync(path.join(ROOT, 'action.yml'), 'utf8')) as {
  readonly inputs: Readonly<Record<string, Described>>;
  readonly outputs: Readonly<Record<string, Described>>;
};

const TITLES: Readonly<Record<WorkflowKind, string>> = {
  pages: 'After a deploy to GitHub Pages',
  push: 'After a push, where Netlify, Cloudflare or another platform deploys it',
  'deployment-status': 'On `deployment_status`, from Vercel and others that report deployments to GitHub',
  dispatch: 'On `repository_dispatch` from a platform',
  nightly: 'Every night, with an issue for as long as something is wrong',
};

/** Text in the cell of a table. */
const cell = (text: string): string =>
  text
    .trim()
    .replaceAll('|', String.raw`\|`)
    .replaceAll('<', '&lt;');

describe('the generated parts on the Action', () => {
  it('show a step', () => {
    const step = `- uses: ${CHECKOUT}
- uses: ${DOCVITALS}
  with:
    url: https://docs.example.com/
    source: docs
    wait: 10m
    full: true
`;
    expectPart('action', 'yml', step);
  });

  it('show the ready-made workflows', () => {
    const workflows = WORKFLOW_KINDS.map(
      (kind) =>
        `<details>\n<summary>${TITLES[kind].replaceAll(/`([^`]+)`/g, '<code>$1</code>')}</summary>\n\n` +
        `\`${WORKFLOW_FILES[kind]}\`, written by \`docvitals init --workflow ${kind}\`:\n\n` +
        `\`\`\`yml\n${workflowText(kind)}\`\`\`\n\n</details>\n`,
    );
    expectPart('workflows', '', workflows.join('\n'));
  });

  it('list the inputs', () => {
    const rows = Object.entries(action.inputs).map(
      ([name, { description, required, default: preset = '' }]) =>
        `| \`${name}\` | ${required === true ? '(required) ' : ''}${cell(description)} | ${preset === '' ? '' : `\`${preset}\``} |\n`,
    );
    expectPart('action-inputs', '', `| input | what it says | default |\n| :--- | :--- | :--- |\n${rows.join('')}`);
  });

  it('list the outputs', () => {
    const rows = Object.entries(action.outputs).map(
      ([name, { description }]) => `| \`${name}\` | ${cell(description)} |\n`,
    );
    expectPart('action-outputs', '', `| output | what it tells |\n| :--- | :--- |\n${rows.join('')}`);
  });
});
