/** Prometheus and its tools, where they are installed. */
import { spawnSync } from 'node:child_process';

/**
 * Whether tests with a program are to run: where it is installed, and in CI in any case, so that they fail there instead
 * of being left out.
 */
export function wanted(...programs: readonly string[]): boolean {
  const missing = programs.filter((program) => spawnSync(program, ['--version']).status !== 0);
  const isCi = process.env['CI'] === 'true';
  if (missing.length > 0 && !isCi) console.warn(`${missing.join(', ')}: not installed here, tests are left out.`);
  return missing.length === 0 || isCi;
}

/** What a program says about an input: its exit status and all that it wrote. */
export function run(
  program: string,
  args: readonly string[],
  input = '',
): { readonly status: number; readonly said: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8', timeout: 30_000 });
  return { status: status ?? -1, said: `${stdout}${stderr}`.trim() };
}
