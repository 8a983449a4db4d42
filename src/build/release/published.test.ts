import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { pagesOf, releaseProblems } from './published.ts';

const ROOT = path.join(import.meta.dirname, '../../..');

const UNRELEASED = '# Changelog\n\n## 0.1.0 (Unreleased)\n';
const RELEASED = '# Changelog\n\n## 0.2.0 (Unreleased)\n\n## 0.1.0\n';

const clone = '```sh\ngit clone https://example.com/\n```\n';
const npm = '```sh\nnpm install --global docvitals\n```\n';
const action = '```yml\n- uses: docvitals/docvitals@v0\n```\n';
const image = '```bash\ndocker run ghcr.io/docvitals/docvitals\n```\n';
const note = 'It is not published yet.\n';

const problems = (changelog: string, file: string, text: string): string[] =>
  releaseProblems(changelog, [{ file, text }]).map((problem) => problem.replace(`${file}: `, ''));

const FIRST = 'begins with the npm package, which is not published yet';
const REMOVE = 'says that something is not published yet, but all is';
const silent = (name: string): string => `uses the ${name} without a note above that it is not published yet`;

describe('before the first release', () => {
  it.each([
    { name: 'a clone, a note, then npm', file: 'README.md', text: clone + note + npm, found: [] },
    { name: 'npm first', file: 'README.md', text: npm + note + clone, found: [FIRST] },
    { name: 'npm first, after a note', file: 'docs/fr/index.md', text: note + npm, found: [FIRST] },
    { name: 'no note', file: 'README.md', text: clone + npm, found: [silent('npm package')] },
    {
      name: 'npx without a note',
      file: 'docs/a.md',
      text: '```yml\n- npx --yes docvitals@0 check\n```\n',
      found: [silent('npm package')],
    },
    { name: 'the Action without a note', file: 'docs/a.md', text: action, found: [silent('Action')] },
    {
      name: 'the Action in a template',
      file: 'src/a.md',
      text: '```yaml\n- uses: @{docvitals}\n```\n',
      found: [silent('Action')],
    },
    {
      name: 'a note in French',
      file: 'docs/fr/a.md',
      text: `L’Action n’est pas encore publiée.\n${action}`,
      found: [],
    },
    {
      name: 'a note in Romanian',
      file: 'docs/ro/a.md',
      text: `Acțiunea încă nu este publicată.\n${action}`,
      found: [],
    },
    {
      name: 'a generated workflow',
      file: 'docvitals init',
      text: `# ${note}- uses: docvitals/docvitals@v0\n`,
      found: [],
    },
    {
      name: 'a generated workflow without a comment above',
      file: 'docvitals init',
      text: `- uses: docvitals/docvitals@v0\n# ${note}`,
      found: [silent('Action')],
    },
    {
      name: 'a message',
      file: 'src/locales/en.yaml:1',
      text: 'Use the command: npx docvitals check',
      found: [silent('npm package')],
    },
    { name: 'other packages', file: 'docs/a.md', text: '```sh\nnpm install --global .\nnpx vitest\n```\n', found: [] },
  ])('$name', ({ file, text, found }) => {
    expect(problems(UNRELEASED, file, text)).toEqual(found);
  });
});

describe('after it', () => {
  it.each([
    { name: 'npm first', text: npm + action, found: [] },
    { name: 'a note that is no longer true', text: note + npm, found: [REMOVE] },
  ])('$name', ({ text, found }) => {
    expect(problems(RELEASED, 'README.md', text)).toEqual(found);
  });
});

it.each([UNRELEASED, RELEASED])('an image, which no release has, is not used at all', (changelog) => {
  const found = ['uses the container image, which is not published'];
  expect(problems(changelog, 'docs/a.md', image)).toEqual(found);
});

describe('this repository', () => {
  const changelog = readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8');
  const pages = pagesOf(ROOT);

  it('leads with what is published', () => {
    expect(releaseProblems(changelog, pages)).toEqual([]);
  });

  it('would not if its state were the other one, so that the commit that releases also changes the pages', () => {
    const isUnreleased = changelog.includes('## 0.1.0 (Unreleased)');
    const found = releaseProblems(isUnreleased ? RELEASED : UNRELEASED, pages).join('\n');
    const kinds = ['README.md', 'docs/fr/', 'src/locales/ro.yaml', 'docvitals init', 'docvitals example'];
    expect(kinds.filter((kind) => !found.includes(kind))).toEqual([]);
  });
});
