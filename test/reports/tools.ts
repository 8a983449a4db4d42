/** Programs of the system that judge outputs, for tests. */
import { spawnSync } from 'node:child_process';

/**
 * Whether tests with a program are to run: where it is installed, and in CI in any case, so that they fail there instead
 * of being left out.
 */
export function toolWanted(program: string, ...versionArguments: readonly string[]): boolean {
  const available = spawnSync(program, [...versionArguments]).status === 0;
  if (!available && process.env['CI'] !== 'true') {
    console.warn(`${program} is not installed here: its tests are left out.`);
  }
  return available || process.env['CI'] === 'true';
}

/** What a program says of a text or of files: all that it wrote, and its exit status. */
export function judgedBy(
  program: string,
  args: readonly string[],
  input = '',
): { readonly status: number | null; readonly said: string } {
  const { status, stdout, stderr, error } = spawnSync(program, [...args], { input, encoding: 'utf8' });
  if (error !== undefined) throw error;
  return { status, said: `${stdout}${stderr}` };
}
