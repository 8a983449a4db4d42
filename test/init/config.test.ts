/** `docvitals config`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHere } from '../cli/run-here.ts';
import { runCli } from '../cli/run.ts';
import { makeProject } from './project.ts';

const SCHEMA = path.join(import.meta.dirname, '../../dist/schema/config.json');

const GOOD = `url: https://someone:s3cret@docs.example.com/
source: docs
full: true
language: ro
headers:
  Authorization: Bearer \${TOKEN}
rules:
  home/media-type: 'off'
checks:
  - { id: robots-file, title: Robots, path: robots.txt }
`;

describe.concurrent('docvitals config check', () => {
  it('reports what holds, and nothing that is secret', async () => {
    const cwd = makeProject({ files: { 'docvitals.yaml': GOOD } });
    const { status, stdout, stderr } = await runHere(['config', 'check'], { cwd, env: { TOKEN: 't0ken' } });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [, ...settings] = stdout.trimEnd().split('\n');
    expect(settings.map((line) => line.trim()).toSorted()).toEqual([
      'checks: robots-file',
      'full: true',
      'headers: Authorization',
      'language: ro',
      'rules: home/media-type off',
      'source: docs',
      'url: https://docs.example.com/',
    ]);
  });

  it.each(['en', 'ro', 'fr'])('speaks %s', async (language) => {
    const cwd = makeProject({ files: { 'docvitals.yaml': `language: ${language}\n` } });
    const [own, asked] = await Promise.all([
      runHere(['config', 'check'], { cwd }),
      runHere(['config', 'check', '--lang', 'en'], { cwd }),
    ]);
    expect([own.status, own.stdout === asked.stdout]).toEqual([0, language === 'en']);
  });

  it('takes a file that is named', async () => {
    const cwd = makeProject({ files: { 'other.yaml': 'strict: true\n' } });
    const { status, stdout } = await runHere(['config', 'check', '--config', 'other.yaml'], { cwd });
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^other\.yaml .*\n {2}strict: true\n$/)]);
  });

  it('is content where there is none', async () => {
    const { status, stdout, stderr } = await runHere(['config', 'check']);
    expect([status, stdout.split('\n').length, stderr]).toEqual([0, 2, '']);
  });

  it('reports each mistake', async () => {
    const cwd = makeProject({ files: { 'docvitals.yaml': 'fulll: true\nhost: moon\n' } });
    const { status, stdout, stderr } = await runHere(['config', 'check'], { cwd });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^docvitals\.yaml:1:1: /),
      expect.stringMatching(/^docvitals\.yaml:2:7: /),
    ]);
  });
});

describe.concurrent('docvitals config', () => {
  it('prints the schema', async () => {
    const { status, stdout } = await runCli(['config', 'schema']);
    expect([status, JSON.parse(stdout)]).toEqual([0, JSON.parse(readFileSync(SCHEMA, 'utf8'))]);
  });

  it.each([
    { args: [], says: 'action' },
    { args: ['chek'], says: 'check' },
    { args: ['check', 'twice'], says: 'config --help' },
  ])('$args is a mistake', async ({ args, says }) => {
    const { status, stderr } = await runHere(['config', ...args]);
    expect([status, stderr]).toEqual([2, expect.stringContaining(says)]);
  });
});
