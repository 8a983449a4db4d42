/** `reference/action.md`: the inputs and outputs of the GitHub Action, from `action.yml`. */
import { parse } from 'yaml';
import { CHECKOUT, DOCVITALS } from '../../../init/workflows.ts';
import { readSource } from '../../output.ts';
import { block, code, page, prose, table, withoutDefault } from './markdown.ts';
import type { Words } from './words.ts';

interface Action {
  readonly description: string;
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description: string }>>;
}

export async function actionPage(words: Words): Promise<string> {
  const action = parse(await readSource('action.yml')) as Action;
  const inputs = Object.entries(action.inputs).map(([name, { description, default: value = '' }]) => {
    const { text, preset } = withoutDefault(words(description));
    return [code(name), prose(text), value === '' ? prose(preset) : code(value)];
  });
  const outputs = Object.entries(action.outputs).map(([name, { description }]) => [
    code(name),
    prose(words(description)),
  ]);
  return page(words('GitHub Action'), [
    prose(words(action.description)),
    block('yaml', STEPS),
    words(
      'Complete workflows are in the guide [GitHub](../guides/github.md). A default that is the configuration is read from [docvitals.yaml](configuration.md).',
    ),
    `## ${words('Inputs')}`,
    table([words('Input'), words('Description'), words('Default')], inputs),
    `## ${words('Outputs')}`,
    table([words('Output'), words('Description')], outputs),
  ]);
}

const STEPS = `steps:
  - uses: ${CHECKOUT}
  - uses: ${DOCVITALS}
    id: docvitals
    with:
      url: https://docs.example.com/
      source: docs
      wait: 10m
  - run: echo "\${{ steps.docvitals.outputs.verdict }}"
    if: always()
`;
