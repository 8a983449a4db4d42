import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import changelog from '../../src/build/release/changelog.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-version-'));
const run = promisify(execFile);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A repository of one package, with changesets and a changelog; makes the next version of it. */
async function version(from: string, text: string, changesets: Readonly<Record<string, string>>): Promise<string> {
  const work = mkdtempSync(path.join(folder, 'work-'));
  for (const name of ['.changeset/config.json', 'src/build/release/changelog.ts', 'src/build/release/version.ts']) {
    cpSync(path.join(ROOT, name), path.join(work, name));
  }
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(work, 'node_modules'), 'junction');
  writeFileSync(path.join(work, 'package.json'), JSON.stringify({ name: 'docvitals', version: from, type: 'module' }));
  const lock = {
    name: 'docvitals',
    version: from,
    packages: { '': { name: 'docvitals', version: from, license: 'MIT' } },
  };
  writeFileSync(path.join(work, 'package-lock.json'), JSON.stringify(lock));
  writeFileSync(path.join(work, 'CHANGELOG.md'), text);
  for (const [name, content] of Object.entries(changesets)) {
    writeFileSync(path.join(work, '.changeset', `${name}.md`), content);
  }
  await run('git', ['init', '--quiet', '--initial-branch', 'main'], { cwd: work });
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  await run('git', ['add', '.changeset', 'package.json'], { cwd: work });
  await run('git', [...author, 'commit', '--quiet', '--message', 'Start'], { cwd: work });
  await run(process.execPath, ['src/build/release/version.ts'], { cwd: work });
  return work;
}

const changeset = (bump: string, text: string): string => `---\n"docvitals": ${bump}\n---\n\n${text}\n`;
const json = (work: string, file: string): unknown => JSON.parse(readFileSync(path.join(work, file), 'utf8'));

describe('the next version', () => {
  it('is reported in all three files, in the words of the changesets', async () => {
    const work = await version('0.1.0', '# Changelog\n\nFor users.\n\n## 0.1.0\n\n- First.\n', {
      one: changeset('minor', '- Waits.\n- Reports.'),
      two: changeset('patch', 'Mends a fault,\non two lines.'),
    });
    expect(json(work, 'package.json')).toMatchObject({ version: '0.2.0' });
    expect(json(work, 'package-lock.json')).toEqual({
      name: 'docvitals',
      version: '0.2.0',
      packages: { '': { name: 'docvitals', version: '0.2.0', license: 'MIT' } },
    });
    expect(readFileSync(path.join(work, 'CHANGELOG.md'), 'utf8')).toBe(
      '# Changelog\n\nFor users.\n\n' +
        '## 0.2.0\n\n### Minor Changes\n\n- Waits.\n- Reports.\n\n### Patch Changes\n\n- Mends a fault,\n  on two lines.\n\n' +
        '## 0.1.0\n\n- First.\n',
    );
    expect(existsSync(path.join(work, '.changeset/one.md'))).toBe(false);
  });
});

describe('the changesets of this repository', () => {
  const names = readdirSync(path.join(ROOT, '.changeset')).filter((name) => /(?<!README)\.md$/.test(name));
  const textOf = (name: string): string => readFileSync(path.join(ROOT, '.changeset', name), 'utf8');

  it('say how much each changes for users of this package, and what', () => {
    for (const name of names) {
      expect([name, textOf(name)]).toEqual([
        name,
        expect.stringMatching(/^---\n"docvitals": (?:major|minor|patch)\n---\n\n\S/),
      ]);
    }
  });
});

describe('a changeset in the changelog', () => {
  it.each([
    { name: 'a sentence becomes an item', summary: 'Waits.', line: '- Waits.' },
    { name: 'more paragraphs are indented', summary: 'Waits.\n\nLong.', line: '- Waits.\n\n  Long.' },
    { name: 'a list stays one', summary: '- Waits.\n- Reports.', line: '- Waits.\n- Reports.' },
  ])('$name', ({ summary, line }) => {
    expect(changelog.getReleaseLine({ summary })).toBe(line);
  });
});

it('CHANGELOG.md begins with the version of package.json, which was released or is not yet', () => {
  const { version: current } = json(ROOT, 'package.json') as { version: string };
  const [newest] = readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8').match(/(?<=^## ).*$/m) ?? [];
  expect([current, `${current} (Unreleased)`]).toContain(newest);
});
