import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { copyOfCheckout, listed, type Changes } from './following-lists.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const run = promisify(execFile);

const page = readFileSync(path.join(ROOT, 'docs/contributing.md'), 'utf8');
const commands = [...page.matchAll(/^(?:npm run build && )?npx vitest run (--project .+)$/gm)].map(
  ([, args = '']) => args,
);

it('names commands for a part of the tests', () => {
  expect(commands.length).toBeGreaterThanOrEqual(5);
});

/** `vitest list` takes the arguments of `vitest run`, and prints the tests that these choose without running them. */
it.each(commands)('npx vitest run %s has tests to run', async (command) => {
  const args = command.split(' ').map((arg) => arg.replaceAll("'", ''));
  const chosen = args.filter((arg) => arg !== '--inspect-brk');
  const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
  const { stdout } = await run(process.execPath, [vitest, 'list', ...chosen], { cwd: ROOT });
  expect(stdout).toMatch(/ > /);
});

/* A check `sample` with a rule, then a second rule. */

const pageOf = (title: string, expected: string, degraded: string): string =>
  `# ${title}\n\n${expected}\n\n## degraded\n\n${degraded}\n`;
const sectionOf = (rule: string, problem: string, fix: string): string => `\n## ${rule}\n\n${problem}\n\n${fix}\n`;

const linkAfterOwn = (name: string) => (menu: string) =>
  menu.replace(
    /^.*\(checks\/own\.md\).*$/m,
    (line) => `${line.replace(/\[.*/, `[${name}](checks/sample.md)`)}\n${line}`,
  );

const CHECK: Changes = {
  'checks/sample/check.ts': () => `import { fullCheck } from '../full-check.ts';

/** The agent index has enough lines. */
export const sample = fullCheck({
  id: 'sample',
  target: 'llms.txt',
  rules: { 'too-short': 'warning' },
  load: () => import('./evaluate.ts'),
});
`,
  'checks/sample/evaluate.ts': () => `import type { RawFinding } from '../../src/core/finding.ts';
import type { Gathered } from '../../src/core/gathered.ts';
import type { Site } from '../../src/site/types.ts';

export async function gather(site: Site): Promise<Gathered> {
  const { answer } = await site.file('llmsTxtUrl');
  return { answer };
}

export function evaluate({ answer }: Gathered): readonly RawFinding<'no-answer' | 'too-short'>[] {
  if (answer?.kind !== 'reply') return [{ rule: 'no-answer' }];
  const lines = new TextDecoder().decode(answer.body).split('\\n').length;
  return lines < 3 ? [{ rule: 'too-short' }] : [];
}
`,
  'checks/sample/en.md': () =>
    pageOf('Sample', 'The agent index has three lines.', 'Write a longer index.') +
    sectionOf('too-short', 'The index has fewer than three lines.', 'Write more lines.'),
  'checks/sample/ro.md': () =>
    pageOf('Eșantion', 'Indexul pentru agenți are trei linii.', 'Scrieți un index mai lung.') +
    sectionOf('too-short', 'Indexul are mai puțin de trei linii.', 'Scrieți mai multe linii.'),
  'checks/sample/fr.md': () =>
    pageOf('Échantillon', 'L’index pour les agents a trois lignes.', 'Écrivez un index plus long.') +
    sectionOf('too-short', 'L’index a moins de trois lignes.', 'Écrivez plus de lignes.'),
  'checks/sample/check.test.ts': () => `import { expect, it } from 'vitest';
import { run, SITE, text, trouble } from '../../test/runs.ts';
import { checks } from '../index.ts';

const sample = { checks: checks.filter(({ id }) => id === 'sample') };

it.each([
  ['# A', { sample: ['too-short'] }],
])('%j', async (index, found) => {
  expect(trouble(await run({ ...SITE, '/llms.txt': text(index) }, sample))).toEqual(found);
});
`,
  'checks/index.ts': (text) =>
    text
      .replace('import { source }', "import { sample } from './sample/check.ts';\nimport { source }")
      .replace('  rendered,', '  rendered,\n  sample,'),
  'docs/navigation.md': linkAfterOwn('Sample'),
  'docs/ro/navigation.md': linkAfterOwn('Eșantion'),
  'docs/fr/navigation.md': linkAfterOwn('Échantillon'),
  'docs/llms.txt': linkAfterOwn('Sample'),
};

const labelled = (label: string) => (text: string) =>
  text.replace(/^evidence:\n.*\n/m, (head) => `${head}    sampleLines: ${label}\n`);

const RULE: Changes = {
  'checks/sample/check.ts': (text) => text.replace("'warning' }", "'warning', 'too-long': 'error' }"),
  'checks/sample/evaluate.ts': (text) =>
    text
      .replace("'too-short'>", "'too-short' | 'too-long'>")
      .replace(
        '  return lines',
        "  if (lines > 9) return [{ rule: 'too-long', evidence: { sampleLines: lines } }];\n  return lines",
      ),
  'src/locales/en.yaml': labelled('lines of the index'),
  'src/locales/ro.yaml': labelled('rânduri ale indexului'),
  'src/locales/fr.yaml': labelled('lignes de l’index'),
  'checks/sample/en.md': (text) => text + sectionOf('too-long', 'The index has more than nine lines.', 'Remove lines.'),
  'checks/sample/ro.md': (text) => text + sectionOf('too-long', 'Indexul are peste nouă linii.', 'Ștergeți linii.'),
  'checks/sample/fr.md': (text) =>
    text + sectionOf('too-long', 'L’index a plus de neuf lignes.', 'Supprimez des lignes.'),
  'checks/sample/check.test.ts': (text) =>
    text.replace('it.each([', "it.each([\n  ['a\\n'.repeat(20), { sample: ['too-long'] }],"),
};

/** Only what follows from the texts and the words: bundles take long, and nothing here reads them. */
const BUILD = `
import { buildLocales } from './src/build/texts.ts';
await buildLocales();
const { buildTexts } = await import('./src/build/texts.ts');
await buildTexts();
`;

// A copy, a build and the tests of the added check take seconds: nothing else shows that a list is complete.
describe('the lists', { timeout: 120_000 }, () => {
  const copy = copyOfCheckout();
  afterAll(() => copy.remove());

  it('add a check and a rule, which the tests of checks, texts and pages accept', () => {
    expect(copy.follow(listed('Add a check', 'sample'), CHECK)).toEqual([]);
    expect(copy.follow(listed('Add a rule', 'sample'), RULE)).toEqual([]);
    expect(copy.node(['--input-type=module', '--eval', BUILD])).toBe(0);
    const tests = ['checks/sample', 'texts.contract.test.ts', 'test/docs/pages.test.ts', 'test/docs/commands.test.ts'];
    // The generated parts, without the commands and examples of the pages.
    const parts = ['--testNamePattern', '^(?!the (?:commands|examples))'];
    // As the page says.
    expect(copy.read('docs/contributing.md')).toContain('\nUPDATE_DOCS=1 npx vitest run --project journeys test/docs ');
    expect(copy.vitest([...tests, ...parts], { UPDATE_DOCS: '1' })).toBe(0);
    for (const changed of ['README.md', 'docs/concepts.md', 'docs/ro/concepts.md', 'docs/fr/concepts.md'])
      expect(copy.read(changed)).toMatch(/\[`sample`\]/);
  });

  it.each([
    ['Add an engine', 'docsify'],
    ['Add an option', ''],
    ['Add a notification channel', ''],
  ])('of "%s" name files that exist', (heading, id) => {
    const files = listed(heading, id).map((file) => file.replace('<command>', 'check').replace('<name>', 'webhook'));
    expect(files.length).toBeGreaterThan(4);
    expect(files.filter((file) => copy.read(file) === '')).toEqual([]);
  });
});
