/** What is reported of links where the run ended before all of them had been checked. */
import { describe, expect, it } from 'vitest';
import { noReply, reply } from '../../answers.ts';
import { fake, html, ORIGIN, SITE, type Files } from '../../runs.ts';
import type { Answer } from '../../../src/core/answer.ts';
import type { RawFinding } from '../../../src/core/finding.ts';
import type { EvaluationLimits } from '../../../src/site/types.ts';
import { Ended } from '../../../src/http/failure.ts';
import { DEFAULT_REQUEST } from '../../../src/core/run.ts';
import { sharedSite } from '../../../src/site/site.ts';
import { links } from '../../../checks/links/check.ts';

async function findings(files: Files, given: Partial<EvaluationLimits> = {}): Promise<readonly RawFinding[]> {
  const { get } = fake({ ...SITE, ...files });
  const limits = { parseMs: 5000, ...given };
  const requested = { ...DEFAULT_REQUEST, full: true };
  const gathered = await links.gather(sharedSite({ base: new URL(ORIGIN), get, pooled: get, requested, limits }));
  return links.evaluate(gathered, limits);
}

describe('links: a run that ended', () => {
  it.each([
    { name: 'Ctrl-C', by: new Ended('interrupt'), code: 'interrupted', more: {} },
    { name: 'the deadline', by: new Ended('deadline', 1000), code: 'mostly-unchecked', more: { by: ['time'] } },
  ])('is reported as what it was: $name', async ({ by, code: rule, more }) => {
    const reported = await findings(
      { '/index.md': '[a](a.md) [b](b.md) [c](c.md)' },
      { signal: AbortSignal.abort(by) },
    );
    expect(reported).toEqual([{ rule, evidence: { pages: 2, files: 0, looked: 0, ...more } }]);
  });

  it('does not report a link whose other meaning was not checked any more', async () => {
    const vertiwiki = html('<title>x</title><div id="verti-app"></div>');
    const rules = async (other: Answer): Promise<string[]> => {
      const files = { '/index.html': vertiwiki, '/index.md': '[x](guide)', '/guide.md': other };
      return (await findings(files)).map(({ rule }) => rule);
    };
    expect(await rules(noReply('interrupted'))).toEqual(['deadline-exceeded']);
    expect(await rules(reply('', { status: 404 }))).toEqual(['missing']);
  });
});
