import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
const run = promisify(execFile);

const page = readFileSync(path.join(ROOT, 'docs/contributing.md'), 'utf8');
const commands = [...page.matchAll(/^(?:npm run build && )?npx vitest run (--project .+)$/gm)].map(
  ([, args = '']) => args,
);

it('names commands for a part of the tests', () => {
  expect(commands.length).toBeGreaterThanOrEqual(5);
});

/** `vitest list` takes the arguments of `vitest run`, and prints the tests that these choose without running them. */
it.each(commands)('npx vitest run %s has tests to run', async (command) => {
  const args = command.split(' ').map((arg) => arg.replaceAll("'", ''));
  const chosen = args.filter((arg) => arg !== '--inspect-brk');
  const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
  const { stdout } = await run(process.execPath, [vitest, 'list', ...chosen], { cwd: ROOT });
  expect(stdout).toMatch(/ > /);
});
