/** Pages that send more than a browser can hand on: the command needs little memory for them, and ends in time. */
import { expect } from 'vitest';
import { browse } from './browse.ts';
import { bundle, filesOf, serve } from './engines.ts';

const MOST_MIB = 400;
const DEADLINE_MS = 15_000;

/** Opens a page that runs a script without end. */
export async function expectBounded(script: string): Promise<void> {
  const index = bundle('VertiWiki', { head: `<script>onload = () => { ${script} };</script>` });
  const { url } = await serve({ ...filesOf('VertiWiki'), 'index.html': index });
  const args = ['--full', '--routes', '0', '--deadline', `${DEADLINE_MS}ms`];
  const { rendered, durationMs, maxRssMiB } = await browse(url, args, { killAfterMs: 80_000 });
  expect(rendered.status).toBe('unknown');
  // A busy machine takes long to start the command.
  expect(durationMs).toBeLessThan(DEADLINE_MS + 2_000);
  expect(maxRssMiB).toBeLessThan(MOST_MIB);
}
