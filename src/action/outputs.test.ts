import { describe, expect, it } from 'vitest';
import { HOSTILE_ROWS } from '../../test/reports/hostile.ts';
import { finding, reportOf } from '../../test/reports.ts';
import type { Report } from '../check.ts';
import { NOTHING_STALE } from '../report/summary.ts';
import { LANGUAGES } from '../texts.ts';
import { outputsOf, verdictLine } from './publish.ts';
import { messagesIn } from '../locales/messages.ts';

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
      const messages = messagesIn(language);
      const { summary } = outputsOf(stale(text), messages, null);
      expect(summary).toBe(outputsOf(stale('harmless'), messages, null).summary);
      expect(summary).not.toMatch(/["'`$\\;&|<>\n]/);
    }
  });

  it('says that the site is old; the log names what is', async () => {
    const messages = messagesIn('en');
    expect(outputsOf(stale('abc1234'), messages, null).summary).toBe(
      messages.verdictLine(messages.verdicts.stale, messages.waiting.stale(NOTHING_STALE)),
    );
    expect(verdictLine(stale('abc1234'), messages)).toContain('abc1234');
  });
});
