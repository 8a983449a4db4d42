/** What the examples start, and with what configuration, is what docvitals takes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runHere } from '../cli/run-here.ts';
import { at, documentsOf, files, textOf, type Mapping, type Value } from './files.ts';

const FLAG = /^--[a-z-]+$/;

/** The lists that some key has, wherever it is in a value. */
function listsOf(value: Value, key: string): readonly (readonly Value[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === key && Array.isArray(inner) ? [inner as readonly Value[]] : listsOf(inner, key),
  );
}

/** Every command line of docvitals' in the examples. */
const LINES: readonly { readonly file: string; readonly args: readonly string[] }[] = files.flatMap((file) => {
  if (file.endsWith('.service')) {
    return [...textOf(file).matchAll(/^ExecStart=docvitals (.*)$/gm)].map(([, line = '']) => ({
      file,
      args: line.split(' '),
    }));
  }
  if (file === 'docker/Dockerfile') {
    return [...textOf(file).matchAll(/^CMD (\[.*\])$/gm)].map(([, list = '']) => ({
      file,
      args: JSON.parse(list) as string[],
    }));
  }
  if (!file.startsWith('kubernetes/')) return [];
  return documentsOf(file).flatMap((document) =>
    listsOf(document, 'args').map((args) => ({ file, args: args.map(String) })),
  );
});

describe('the command lines of the examples', () => {
  it('are found', () => {
    expect(LINES.map(({ file }) => file)).toEqual([
      'docker/Dockerfile',
      'kubernetes/cronjob.yaml',
      'kubernetes/deployment.yaml',
      'systemd/docvitals-once.service',
      'systemd/docvitals.service',
    ]);
  });

  it.each(LINES)('$file: are of docvitals monitor', async ({ args: [command = '', ...args] }) => {
    const { stdout } = await runHere([command, '--help']);
    expect(command).toBe('monitor');
    for (const flag of args.filter((arg) => FLAG.test(arg))) expect(stdout).toMatch(new RegExp(`^ +${flag}\\b`, 'm'));
  });
});

describe('the configuration of the examples', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'docvitals-configured-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const maps = files
    .filter((file) => file.startsWith('kubernetes/'))
    .flatMap((file) => documentsOf(file).map((document) => ({ file, document })))
    .filter(({ document }) => document['kind'] === 'ConfigMap');

  it.each<{ file: string; document: Mapping }>(maps)('in $file is in order', async ({ document }) => {
    writeFileSync(path.join(folder, 'docvitals.yaml'), at(document, 'data', 'docvitals.yaml') as string);
    const env = { OPS_WEBHOOK: 'https://hooks.example.com/x' };
    const { status, stderr } = await runHere(['config', 'check'], { cwd: folder, env });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
