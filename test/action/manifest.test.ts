/** action.yml says what the Action does; and what passes between it and the runner is what GitHub's own toolkit makes. */
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { getBooleanInput, getInput, setOutput } from '@actions/core';
import { NoOperationTraceWriter } from '@actions/workflow-parser';
import { parseAction } from '@actions/workflow-parser/actions/action-parser';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { inputOf, readInputs } from '../../src/action/inputs.ts';
import { NO_OUTPUTS, outputFile } from '../../src/action/publish.ts';
import { manifestOf, readOutputs, ROOT } from './run.ts';
import { temporary } from './workspace.ts';

afterEach(() => vi.unstubAllEnvs());

describe('action.yml', () => {
  it("is one by GitHub's own parser", () => {
    const content = readFileSync(path.join(ROOT, 'action.yml'), 'utf8');
    const { context } = parseAction({ name: 'action.yml', content }, new NoOperationTraceWriter());
    expect(context.errors.getErrors()).toEqual([]);
  });

  it('has the inputs that are read, and no others', () => {
    const read = new Set<string>();
    const env = new Proxy({}, { get: (_, name) => void read.add(String(name)) });
    readInputs(env);
    const declared = Object.keys(manifestOf().inputs).map((name) => `INPUT_${name.toUpperCase()}`);
    expect([...read].toSorted()).toEqual(declared.toSorted());
  });

  it('has the outputs that are written', () => {
    expect(Object.keys(manifestOf().outputs)).toEqual(Object.keys(NO_OUTPUTS));
  });

  it('has the defaults that hold without it', () => {
    const defaults = Object.entries(manifestOf().inputs).map(([name, input]) => [
      `INPUT_${name.toUpperCase()}`,
      name === 'github-token' ? '' : input.default,
    ]);
    expect(readInputs(Object.fromEntries(defaults) as NodeJS.ProcessEnv)).toEqual(readInputs({}));
  });
});

describe('as the toolkit', () => {
  it.each(['fail-on', 'github-token', 'report dir', 'lang'])('the input %s', (name) => {
    vi.stubEnv(`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`, '  value ');
    expect(inputOf(process.env, name)).toBe(getInput(name));
  });

  it.each(['true', 'True', 'TRUE', 'false', 'False', 'FALSE', 'yes', 'on', '1', 'tRue', 'y', '0'])(
    'the boolean %s',
    (text) => {
      vi.stubEnv('INPUT_COMMENT', text);
      const ours = outcome(() => readInputs(process.env).comment);
      expect(ours).toEqual(outcome(() => getBooleanInput('comment')));
    },
  );

  it.each(['', 'plain', 'two\nlines\n', 'a<<EOF\nb\nEOF\n', 'a=b', '\r', 'ăâîșț 🙂'])('the output %j', (value) => {
    const folder = temporary('outputs');
    const theirs = path.join(folder, 'theirs');
    appendFileSync(theirs, '');
    vi.stubEnv('GITHUB_OUTPUT', theirs);
    setOutput('summary', value);
    const outputs = { ...NO_OUTPUTS, summary: value };
    expect(readOutputs(outputFile(outputs, 'docvitals_1')).summary).toBe(
      readOutputs(readFileSync(theirs, 'utf8')).summary,
    );
  });
});

function outcome(read: () => boolean): boolean | null {
  try {
    return read();
  } catch {
    return null;
  }
}
