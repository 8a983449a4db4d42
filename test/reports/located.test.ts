/** Faults of a site, annotated in the repository that it is deployed from: a real run, a real Git repository. */
import { describe, expect, it } from 'vitest';
import { annotationsOf, githubReport } from '../../src/report/github.ts';
import type { ReportOptions } from '../../src/report/formats.ts';
import { sarifReport } from '../../src/report/sarif.ts';
import { deployed, type Repository } from './repository.ts';
import { readRunnerOutput } from './runner.ts';
import type { SarifLog } from './sarif-log.ts';
import { optionsIn } from './samples.ts';

const optionsOf = ({ locate }: Repository): Promise<ReportOptions> => optionsIn('en', { locate });

const BROKEN = '# Docs\n\n- [Home](index.md)\n- [Guide](guide.md), [Gone](gone.md)\n';

const CASES: readonly {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly live?: Readonly<Record<string, string>>;
  readonly code: string;
  readonly place: { readonly file: string; readonly line: number | null; readonly column: number | null };
}[] = [
  {
    name: 'a broken link, at its line in the Markdown file',
    files: { 'navigation.md': BROKEN },
    code: 'links/missing',
    place: { file: 'site/docs/navigation.md', line: 4, column: 22 },
  },
  {
    name: 'a trailing comma, at its line in config.json',
    files: { 'config.json': '{\n  "homePage": "index.md",\n  "x": [\n    1\n  ],\n}\n' },
    code: 'config/trailing-comma',
    place: { file: 'site/docs/config.json', line: 5, column: 4 },
  },
  {
    name: 'a file that is live in an old version, at the first line of the new one that is not live',
    files: {},
    live: { 'guide.md': '# Guide\n\nOld text.\n' },
    code: 'source/stale',
    place: { file: 'site/docs/guide.md', line: 3, column: 1 },
  },
  {
    name: 'a broken link in a file that is live in an old version, without a line',
    files: {},
    live: { 'guide.md': '# Guide\n\nText. [Gone](gone.md)\n' },
    code: 'links/missing',
    place: { file: 'site/docs/guide.md', line: null, column: null },
  },
  {
    name: 'a file whose name has characters of its own',
    files: {
      'navigation.md': '# Docs\n\n- [Home](index.md)\n- [Guide](guide.md)\n- [Ș](<a b/ș,%:1.md>)\n',
      'a b/ș,%:1.md': '# Ș\n\n[Gone](gone.md)\n',
    },
    code: 'links/missing',
    place: { file: 'site/docs/a b/ș,%:1.md', line: 3, column: 1 },
  },
];

const windows = process.platform === 'win32';

describe.each(CASES.filter(({ files }) => !windows || !Object.keys(files).some((file) => file.includes(':'))))(
  '$name',
  async ({ files, live, code, place }) => {
    const repository = await deployed(files, live);
    const options = await optionsOf(repository);

    it('as an annotation', () => {
      const found = annotationsOf(repository.report, options).find(({ title }) => title.startsWith(`${code} `));
      expect(found?.location).toEqual(place);
    });

    it('as a command of the runner', () => {
      const { commands } = readRunnerOutput(githubReport(repository.report, options));
      const found = commands.find(({ properties }) => properties['title']?.startsWith(`${code} `));
      const { file, line, col } = found?.properties ?? {};
      expect([file, line ?? null, col ?? null]).toEqual([
        place.file,
        place.line === null ? null : String(place.line),
        place.column === null ? null : String(place.column),
      ]);
    });

    it('as a SARIF result', () => {
      const log = JSON.parse(sarifReport(repository.report, options)) as SarifLog;
      const found = log.runs[0].results.find(({ ruleId }) => ruleId === code)?.locations[0]?.physicalLocation;
      expect(found?.artifactLocation.uriBaseId).toBe('%SRCROOT%');
      expect(decodeURIComponent(found?.artifactLocation.uri ?? '')).toBe(place.file);
      expect([found?.region?.startLine ?? null, found?.region?.startColumn ?? null]).toEqual([
        place.line,
        place.column,
      ]);
    });
  },
);
