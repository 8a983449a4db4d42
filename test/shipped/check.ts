/** `npm run check:package`: publint and Are the types wrong? on the packed package. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { pack } from './pack.ts';

const { tarball, remove } = await pack();
const checks = [
  [new URL('cli.js', import.meta.resolve('publint')), 'run', tarball, '--strict'],
  [
    new URL('dist/index.js', import.meta.resolve('@arethetypeswrong/cli/package.json')),
    tarball,
    '--profile',
    'esm-only',
  ],
] as const;
for (const [script, ...args] of checks) {
  const { status } = spawnSync(process.execPath, [fileURLToPath(script), ...args], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
await remove();
