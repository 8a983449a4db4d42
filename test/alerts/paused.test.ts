/** A receiver that asks for a long pause: what the built monitor does, and what `docvitals alert list` shows meanwhile. */
import { expect, it, onTestFinished } from 'vitest';
import { makeProject, startProcess } from '../monitor/process.ts';
import { startWatchedHost } from '../monitor/watched-host.ts';
import { startReceiver, status } from './receiver.ts';

/** The longest pause that a receiver can ask for, and as much again for a clock that is read twice. */
const CEILING_MS = 5 * 60_000 + 5_000;

it('is tried again after five minutes at most, and at once for a new outage', async () => {
  const [receiver, first, second] = await Promise.all([startReceiver(), startWatchedHost(), startWatchedHost()]);
  receiver.answer = status(429, { 'retry-after': '999999999' });
  const site = { every: '1s', full: false, confirm: { times: 1 } };
  const project = makeProject({
    sites: [
      { id: 'first', url: first.url, ...site },
      { id: 'second', url: second.url, ...site },
    ],
    alerts: [{ id: 'ops', webhook: { url: `${receiver.url}/` } }],
    monitor: { connectivity: [] },
  });
  first.condition = 'failing';
  const { child, told, ended } = await startProcess(project);
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
    await Promise.all([receiver.stop(), first.close(), second.close()]);
    project.remove();
  });

  const { retryAt } = await told('notification-failed');
  const until = Date.parse(String(retryAt));
  expect(until - Date.now()).toBeLessThan(CEILING_MS);
  const listed = await project.run(['alert', 'list', '--format', 'json']);
  const [waiting] = JSON.parse(listed.stdout) as readonly [{ readonly nextAttemptAt: string }];
  expect(Math.abs(Date.parse(waiting.nextAttemptAt) - until)).toBeLessThan(5_000);
  const { stdout } = await project.run(['alert', 'list']);
  expect(stdout).toContain(new Date(waiting.nextAttemptAt).toISOString().slice(0, 16).replace('T', ' '));

  const before = receiver.received.length;
  second.condition = 'failing';
  await receiver.has(before + 1);
  expect(receiver.received.at(-1)?.body).toContain(second.url);
});
