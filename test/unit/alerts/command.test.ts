import { expect, it } from 'vitest';
import { createSend } from '../../../src/monitor/alerts/send.ts';
import { incidentOf, routeOf, siteOf, SIX } from '../../alerts/samples.ts';

it('a command that ignores the signal to end is killed two seconds later', async () => {
  const send = createSend({
    settings: () => ({ sites: [siteOf()], page: { title: null, url: null, language: 'en' } }),
    env: { PATH: process.env['PATH'] },
    now: () => SIX,
  });
  const run = ['sh', '-c', 'trap "" TERM; while :; do sleep 0.1; done'];
  const route = routeOf({ channel: { kind: 'command', run, timeoutMs: 300 } });
  const alert = { key: 'k:opened:ops', event: 'opened', incident: incidentOf(), alsoSites: [] } as const;
  expect(await send(route, alert, new AbortController().signal)).toMatchObject({ ok: false, error: 'timeout' });
});
