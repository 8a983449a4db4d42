import { describe, expect, it } from 'vitest';
import { HOSTILE_ROWS } from '../../test/reports/hostile.ts';
import { finding, reportOf } from '../../test/reports.ts';
import type { Report } from '../check.ts';
import { LANGUAGES } from '../texts.ts';
import { outputsOf, verdictLine } from './publish.ts';
import { optionsIn } from '../../test/reports/samples.ts';

/** A stale report, whose line names what the site tells. */
const stale = (text: string): Report =>
  reportOf(
    [
      { id: 'source', findings: [finding({ rule: 'stale', evidence: { path: text } })] },
      {
        id: 'deployed-version',
        findings: [finding({ rule: 'old-version', evidence: { expected: 'x', found: text } })],
      },
    ],
    { verdict: 'stale', fresh: false },
  );

describe('the output summary', () => {
  // Workflows write `echo "${{ steps.docs.outputs.summary }}"`.
  it.each(HOSTILE_ROWS)('holds nothing of what the site sends: $name', async ({ text }) => {
    for (const language of LANGUAGES) {
      const options = await optionsIn(language);
      const { summary } = outputsOf(stale(text), options, null);
      expect(summary).toBe(outputsOf(stale('harmless'), options, null).summary);
      expect(summary).not.toMatch(/["'`$\\;&|<>\n]/);
    }
  });

  it('says that the site is old; the log names what is', async () => {
    const options = await optionsIn('en');
    const { verdictLine: line, verdicts, waiting } = options.messages;
    expect(outputsOf(stale('abc1234'), options, null).summary).toBe(line(verdicts.stale, waiting.stale(null, '')));
    expect(verdictLine(stale('abc1234'), options)).toContain('abc1234');
  });
});
