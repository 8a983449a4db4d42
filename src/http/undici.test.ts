import { execFileSync } from 'node:child_process';
import { Client as Published } from 'undici';
import { expect, it } from 'vitest';
import { Client, TIERING_BUDGET } from './undici.ts';

// The inner module that is loaded for speed is the published class, so its types and behaviour are the documented ones.
it('is the client that undici publishes', () => {
  expect(Client).toBe(Published);
});

it("restores V8's default tiering budget", () => {
  const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  expect(options).toContain(`default: --wasm-tiering-budget=${TIERING_BUDGET}`);
});
