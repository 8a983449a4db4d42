/** The step that publishes, as the workflow has it, with a stand-in for npm. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const FILE = path.join(import.meta.dirname, '../../.github/workflows/release.yml');
const { jobs } = parse(readFileSync(FILE, 'utf8')) as { jobs: Record<string, { steps: { run?: string }[] }> };
const step = jobs['npm']?.steps.find(({ run }) => run?.includes('npm publish'))?.run ?? '';

const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-publish-'));
const TARBALL = 'the tarball';
const INTEGRITY = `sha512-${createHash('sha512').update(TARBALL).digest('base64')}`;

const NPM = `#!/bin/sh
case "$1" in
  --version) echo "$NPM_VERSION" ;;
  view) if [ "$PUBLISHED" = unknown ]; then exit 1; fi; echo "$PUBLISHED" ;;
  publish) echo "$*" >published ;;
esac
`;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the step does where npm has that already: its exit status, and the arguments that it published with. */
function publish(published: string, npm = '11.19.1'): { status: number | null; args: string | null } {
  const work = mkdtempSync(path.join(folder, 'work-'));
  mkdirSync(path.join(work, 'release'));
  writeFileSync(path.join(work, 'release/docvitals-1.2.3.tgz'), TARBALL);
  writeFileSync(path.join(work, 'npm'), NPM);
  chmodSync(path.join(work, 'npm'), 0o755);
  const env = {
    PATH: `${work}:${process.env['PATH']}`,
    VERSION: '1.2.3',
    PUBLISHED: published,
    NPM_VERSION: npm,
  };
  const { status } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step], { cwd: work, env });
  const file = path.join(work, 'published');
  return { status, args: existsSync(file) ? readFileSync(file, 'utf8').trim() : null };
}

const ARGS = 'publish ./release/docvitals-1.2.3.tgz --access public --provenance --ignore-scripts';

// As in the workflow: on Linux, whose tools it uses.
describe.runIf(process.platform === 'linux')('publishing', () => {
  it.each([
    { name: 'a package that npm does not know', published: 'unknown', status: 0, args: ARGS },
    { name: 'a version that npm does not have', published: '', status: 0, args: ARGS },
    { name: 'a version that npm has', published: INTEGRITY, status: 0, args: null },
    { name: 'a version that npm has with other bytes', published: 'sha512-other', status: 1, args: null },
    { name: 'an npm without trusted publishing', published: '', npm: '10.9.3', status: 1, args: null },
    { name: 'the first npm with trusted publishing', published: '', npm: '11.5.1', status: 0, args: ARGS },
  ])('$name: exit status $status', ({ published, npm, status, args }) => {
    expect(publish(published, npm)).toEqual({ status, args });
  });
});
