/** Uploads that fail late: one takes its whole minute, because jobs are paid by the minute and may wait for one another. */
import { expect, it } from 'vitest';
import { startHost } from '../site/host.ts';
import { startArtifacts } from './artifacts.ts';
import { startAction } from './run.ts';
import { smallSite } from './workspace.ts';

it(
  'a store that does not respond costs a minute, and the job passes with a warning',
  { timeout: 120_000 },
  async () => {
    const host = await startHost(new Map(Object.entries(smallSite('one'))));
    const service = await startArtifacts((request) => (request.startsWith('PUT ') ? 'hang' : null));
    const inputs = { url: host.url, artifact: 'true' };
    const result = await startAction({ inputs, env: service.env, limitMs: 90_000 });
    await Promise.all([host.close(), service.close()]);
    expect([result.status, result.outputs['verdict']]).toEqual([0, 'healthy']);
    expect(result.warnings.map(({ data }) => data)).toEqual(['artifact: the reports were not uploaded within 60 s.']);
    expect(result.durationMs).toBeLessThan(75_000);
  },
);

it('a refusal when the upload ends is a warning as well', { timeout: 60_000 }, async () => {
  const host = await startHost(new Map(Object.entries(smallSite('one'))));
  const isEnd = (request: string): boolean => request.endsWith('ArtifactService/FinalizeArtifact');
  const service = await startArtifacts((request) => (isEnd(request) ? [403, { msg: 'no more room' }] : null));
  const result = await startAction({ inputs: { url: host.url, artifact: 'true' }, env: service.env });
  await Promise.all([host.close(), service.close()]);
  expect([result.status, result.outputs['artifact-id']]).toEqual([0, '']);
  expect(result.warnings.map(({ data }) => data)).toEqual([
    expect.stringMatching(/^artifact: .*\(403\) Forbidden: no more room/),
  ]);
});
