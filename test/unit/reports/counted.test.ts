/** Findings of which there are so many that most are only counted: no report says that there are fewer. */
import { describe, expect, it } from 'vitest';
import type { Report } from '../../../src/core/check.ts';
import { groupsOf } from '../../../src/report/groups.ts';
import { FORMAT_NAMES, loadFormat, type FormatName } from '../../../src/report/formats.ts';
import { finding, reportOf } from '../../reports.ts';
import { optionsIn } from '../../reports/samples.ts';

const TOLD = 20;
const OMITTED = 4567;
const IN_ALL = String(TOLD + OMITTED);

const missing = Array.from({ length: TOLD }, (_, index) =>
  finding({ rule: 'missing', evidence: { target: `p${index}.md` } }),
);
const MANY = reportOf([
  { id: 'links', findings: [...missing, finding({ rule: 'missing-image' })], omitted: { missing: OMITTED } },
]);

const made = async (format: FormatName, report: Report): Promise<string> =>
  (await loadFormat(format))(report, await optionsIn('en'));

/** Where a format says how many there are in all, or that some are only counted. */
const SAYS: Readonly<Record<FormatName, readonly string[]>> = {
  pretty: [`×${IN_ALL}`, ` ${OMITTED}.`],
  json: [`"links/missing": ${OMITTED}`],
  junit: [`×${IN_ALL}`],
  sarif: [`"omitted": ${OMITTED}`, `: ${OMITTED}.`],
  markdown: [`×${IN_ALL}`],
  github: [`×${IN_ALL}`],
  prometheus: [`rule="links/missing",severity="error"} ${IN_ALL}`],
  html: [`×${IN_ALL}`, `: ${OMITTED}.`],
};

describe('findings that are only counted', () => {
  it.each(FORMAT_NAMES)('are reported by %s', async (format) => {
    const text = await made(format, MANY);
    for (const said of SAYS[format]) expect(text).toContain(said);
    expect(text).not.toContain(`×${TOLD}\n`);
  });

  it.each(['pretty', 'github', 'markdown', 'html', 'junit'] as const)(
    'beside a single one are told by %s',
    async (format) => {
      const text = await made(format, reportOf([{ findings: [finding()], omitted: { syntax: 4 } }]));
      expect(text).toContain('×5');
      expect(text).toMatch(/(?:: |and |\+)4\b/);
    },
  );

  it('are counted with the most severe of their code', () => {
    const findings = [finding({ severity: 'warning' }), finding({ severity: 'error' }), finding({ rule: 'bom' })];
    const groups = groupsOf({ id: 'config', findings, omitted: { syntax: 7 } });
    expect(groups.map(({ rule, severity, count }) => [rule, severity, count])).toEqual([
      ['syntax', 'error', 8],
      ['bom', 'error', 1],
      ['syntax', 'warning', 1],
    ]);
  });
});
