/** A certificate for `localhost` that docvitals trusts, and Chromium only where a home folder names its authority. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';
import { certificate } from '../faults/certificates.ts';

export interface Trusted {
  readonly tls: TlsOptions;
  /** For the command. */
  readonly env: Readonly<Record<string, string>>;
}

/** Whether Chromium can be made to trust a certificate: in CI in any case, so that tests fail there instead of being skipped. */
export function certutilWanted(): boolean {
  const isInstalled = spawnSync('certutil', ['-H']).error === undefined;
  if (!isInstalled && process.env['CI'] !== 'true')
    console.warn('certutil (Debian package libnss3-tools) is not installed: tests of mixed content are skipped.');
  return isInstalled || process.env['CI'] === 'true';
}

/** `byBrowser`: Chromium on Linux reads the authorities that its user trusts from the NSS database in the home folder. */
export async function trustedCertificate({ byBrowser }: { readonly byBrowser: boolean }): Promise<Trusted> {
  const { server: tls, trustFile = '' } = await certificate('good');
  const home = mkdtempSync(join(tmpdir(), 'docvitals-home-'));
  onTestFinished(() => {
    rmSync(home, { recursive: true, force: true });
    rmSync(dirname(trustFile), { recursive: true });
  });
  if (byBrowser) {
    const folder = join(home, '.pki/nssdb');
    mkdirSync(folder, { recursive: true });
    certutil('-N', '-d', `sql:${folder}`, '--empty-password');
    certutil('-A', '-d', `sql:${folder}`, '-n', 'docvitals', '-t', 'C,,', '-i', trustFile);
  }
  return { tls, env: { HOME: home, NODE_EXTRA_CA_CERTS: trustFile } };
}

function certutil(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('certutil', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`certutil: ${stderr}`);
}
