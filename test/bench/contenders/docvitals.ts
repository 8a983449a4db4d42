/** The command as users have it: the built bundle, run by Node. */
import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { FAULT_IDS, type Fault } from '../scene/faults.ts';
import type { Checker, Surroundings } from './checker.ts';

export const BIN = fileURLToPath(new URL('../../../bin/docvitals.js', import.meta.url));

const check = ({ scene }: Surroundings, ...options: readonly string[]) => ({
  argv: [process.execPath, BIN, 'check', scene.url, ...options],
  env: scene.authority === undefined ? {} : { NODE_EXTRA_CA_CERTS: scene.authority },
});

/** It has to call each fault by its code. */
const sees = ({ code }: Fault, output: string): boolean => output.includes(`  ${code}`);

/** The five. */
export const docvitals: Checker = {
  name: 'docvitals',
  needs: [],
  looksAt: 'five',
  claims: FAULT_IDS,
  command: check,
  sees,
};

/** The five, where it was never run before: whatever it keeps for the next time has to be made. */
export const docvitalsFirst: Checker = {
  ...docvitals,
  name: 'docvitals, first run',
  command(surroundings) {
    const { argv, env } = check(surroundings);
    return { argv, env: { ...env, ...newHome(surroundings.folder) } };
  },
};

/** Where nothing was ever kept. */
export function newHome(folder: string): Readonly<Record<string, string>> {
  const home = mkdtempSync(path.join(folder, 'home-'));
  return { HOME: home, TMPDIR: home };
}

/** The whole site, of so many pages. */
export const docvitalsFull = (pages: number, name = 'docvitals --full'): Checker => ({
  name,
  needs: [],
  looksAt: 'tree',
  claims: ['page-missing'],
  command: (surroundings) => check(surroundings, '--full', '--max-pages', String(2 * pages)),
  sees,
  shirked(output) {
    const looked = Number(/\bPages: ([\d,]+)/.exec(output)?.[1]?.replaceAll(',', '') ?? 0);
    return looked < pages ? `only ${looked} of ${pages} pages were looked at` : undefined;
  },
});
