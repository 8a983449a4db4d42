/** Certificates of an authority that is made for one run of the benchmark. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { generate } from 'selfsigned';

export type CertificateKind = 'good' | 'expired' | 'other-address';

/** nginx's directive: the versions of Debian's own configuration that are not deprecated. Both sides then speak TLS 1.3. */
export const TLS_VERSIONS = 'ssl_protocols TLSv1.2 TLSv1.3;';

const DAY_MS = 86_400_000;
const ELSEWHERE = '127.79.0.1';

const options = (fromDays: number, toDays: number) => ({
  notBeforeDate: new Date(Date.now() + fromDays * DAY_MS),
  notAfterDate: new Date(Date.now() + toDays * DAY_MS),
  keyType: 'ec' as const,
  algorithm: 'sha256',
});

/** Writes keys and certificates into a folder. `certificate`: nginx's directives for that of an address. */
export async function certificateAuthority(folder: string) {
  const write = (name: string, pem: string): string => {
    writeFileSync(path.join(folder, name), pem, { mode: 0o600 });
    return path.join(folder, name);
  };
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'docvitals benchmark authority' }], {
    ...options(-1, 30),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return {
    file: write('authority.pem', cert),
    async certificate(address: string, kind: CertificateKind = 'good'): Promise<string> {
      const ip = kind === 'other-address' ? ELSEWHERE : address;
      const leaf = await generate([{ name: 'commonName', value: 'docvitals benchmark' }], {
        ...(kind === 'expired' ? options(-40, -10) : options(-1, 29)),
        ca: { key, cert },
        extensions: [
          { name: 'basicConstraints', cA: false },
          { name: 'extKeyUsage', serverAuth: true },
          { name: 'subjectAltName', altNames: [{ type: 7, ip }] },
        ],
      });
      const files = [write(`${address}.pem`, leaf.cert), write(`${address}-key.pem`, leaf.private)];
      return `ssl_certificate ${files[0]}; ssl_certificate_key ${files[1]};`;
    },
  };
}
