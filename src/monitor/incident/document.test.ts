import { describe, expect, it } from 'vitest';
import { incidentDocument, recoveryOf } from './document.ts';
import { incidentOf } from '../../../test/monitor/incident/incidents.ts';

const at = (text: string): number => Date.parse(text);

describe('incidentDocument', () => {
  it('has these keys while it is open', () => {
    expect(incidentDocument(incidentOf({ id: 'docs-20261120T180000123' }))).toEqual({
      id: 'docs-20261120T180000123',
      site: 'docs',
      verdict: 'down',
      checks: ['bundle'],
      rules: ['bundle/refused'],
      startedAt: '2026-11-20T17:59:50.000Z',
      detectedAt: '2026-11-20T18:00:00.123Z',
      notifiedAt: null,
      recoveredAt: null,
      durationMs: null,
      recoveryTimeObjectiveMs: 60_000,
      recoveryTimeObjectiveMet: null,
    });
  });

  it('reports a deploy and flapping only where there is one', () => {
    const deploy = { version: 'v2', before: 'v1', seenAt: at('2026-11-20T17:59:55Z') };
    const document = incidentDocument(incidentOf({ deploy, flapping: true }));
    expect(document.deploy).toEqual({ version: 'v2', before: 'v1', seenAt: '2026-11-20T17:59:55.000Z' });
    expect(document.flapping).toBe(true);
  });

  it.each([
    ['while it is open', null, null, null],
    ['within the objective', '2026-11-20T18:00:31Z', 41_000, true],
    ['just so', '2026-11-20T18:00:50Z', 60_000, true],
    ['a millisecond too late', '2026-11-20T18:00:50.001Z', 60_001, false],
    ['never less than nothing', '2026-11-20T17:00:00Z', 0, true],
  ])('%s', (_, recovered, durationMs, rtoMet) => {
    const recoveredAt = recovered === null ? null : at(recovered);
    expect(recoveryOf(incidentOf({ recoveredAt }))).toEqual({ durationMs, recoveryTimeObjectiveMet: rtoMet });
  });
});
