/** Pages that send more than a browser can hand on: the command needs little memory for them, and ends in time. */
import { expect, it } from 'vitest';
import { chromiumWanted } from '../hosts/chromium.ts';
import { browse } from './browse.ts';
import { bundle, filesOf, serve } from './engines.ts';

const MOST_MIB = 400;
const DEADLINE_MS = 15_000;

it.runIf(chromiumWanted()).each([
  ['messages', `setInterval(() => { for (let i = 0; i < 20_000; i++) console.error('x'.repeat(1_000) + i); }, 1)`],
  [
    'navigations',
    `setInterval(() => { for (let i = 0; i < 1_000; i++) history.pushState({}, '', '?' + Math.random()); })`,
  ],
])('%s without end', { timeout: 90_000 }, async (_, script) => {
  const index = bundle('VertiWiki', { head: `<script>onload = () => { ${script} };</script>` });
  const { url } = await serve({ ...filesOf('VertiWiki'), 'index.html': index });
  const args = ['--full', '--routes', '0', '--deadline', `${DEADLINE_MS}ms`];
  const { rendered, durationMs, maxRssMiB } = await browse(url, args, { killAfterMs: 80_000 });
  expect(rendered.status).toBe('unknown');
  // A busy machine takes long to start the command.
  expect(durationMs).toBeLessThan(DEADLINE_MS + 2_000);
  expect(maxRssMiB).toBeLessThan(MOST_MIB);
});
