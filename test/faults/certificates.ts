/** Certificates made for one test run: each good but for the one thing that its name says. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { generate } from 'selfsigned';

export type CertificateKind =
  | 'good'
  | 'expired'
  | 'expires-soon'
  | 'not-yet-valid'
  | 'wrong-host'
  | 'self-signed'
  | 'no-intermediate'
  | 'old-protocol';

/** What a TLS server needs, and the file to trust it with (for NODE_EXTRA_CA_CERTS) where its kind is to be trusted. */
export interface Certificate {
  readonly server: TlsOptions;
  readonly trustFile?: string;
}

const DAY_MS = 86_400_000;

// The clock matters: certificates are evaluated against the machine's own.
const daysFromNow = (days: number): Date => new Date(Date.now() + days * DAY_MS);

const VALID = { notBeforeDate: daysFromNow(-1), notAfterDate: daysFromNow(30) };

const VALIDITY: Partial<Record<CertificateKind, typeof VALID>> = {
  expired: { notBeforeDate: daysFromNow(-40), notAfterDate: daysFromNow(-10) },
  // Of 90 days, as most authorities give them.
  'expires-soon': { notBeforeDate: daysFromNow(-85), notAfterDate: daysFromNow(5) },
  'not-yet-valid': { notBeforeDate: daysFromNow(10), notAfterDate: daysFromNow(40) },
};

async function authority(name: string): Promise<{ key: string; cert: string }> {
  const made = await generate([{ name: 'commonName', value: name }], {
    ...VALID,
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return { key: made.private, cert: made.cert };
}

async function leaf(
  kind: CertificateKind,
  ca: { key: string; cert: string },
  names: readonly string[],
): Promise<{ key: string; cert: string }> {
  const [name = 'localhost'] = kind === 'wrong-host' ? ['elsewhere.example'] : names;
  const made = await generate([{ name: 'commonName', value: name }], {
    ...(VALIDITY[kind] ?? VALID),
    keyType: 'ec',
    algorithm: 'sha256',
    ...(kind === 'self-signed' ? {} : { ca }),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames:
          kind === 'wrong-host'
            ? [{ type: 2, value: name }]
            : [...names.map((value) => ({ type: 2 as const, value })), { type: 7, ip: '127.0.0.1' }],
      },
    ],
  });
  return { key: made.private, cert: made.cert };
}

const UNTRUSTED: ReadonlySet<CertificateKind> = new Set(['self-signed', 'no-intermediate']);

// Of two authorities with one name, a process that trusts one would find the signature of the other wrong.
const [TRUSTED, UNKNOWN] = await Promise.all([
  authority('docvitals test authority'),
  authority('unknown test authority'),
]);

/** Makes a key and a certificate of this kind, signed by an authority (except for `self-signed`). */
export async function certificate(
  kind: CertificateKind,
  names: readonly string[] = ['localhost'],
): Promise<Certificate> {
  const pair = await leaf(kind, kind === 'no-intermediate' ? UNKNOWN : TRUSTED, names);
  // TLS 1.0 and 1.1 need the lowest security level, or OpenSSL 3 refuses to serve them at all.
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  const server = { ...pair, ...(kind === 'old-protocol' ? old : {}) };
  if (UNTRUSTED.has(kind)) return { server };
  const trustFile = join(mkdtempSync(join(tmpdir(), 'docvitals-ca-')), 'authority.pem');
  writeFileSync(trustFile, TRUSTED.cert);
  return { server, trustFile };
}
