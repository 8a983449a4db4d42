/** Certificates for many addresses, made for one run of the benchmark by an authority of its own. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { generate } from 'selfsigned';

type Kind = 'good' | 'expired' | 'other-address';

/** nginx' directive: the versions of Debian's own configuration that are not deprecated. Both sides then speak TLS 1.3. */
export const TLS_VERSIONS = 'ssl_protocols TLSv1.2 TLSv1.3;';

export interface CertificateFiles {
  /** The authority's certificate as PEM: what clients trust. */
  readonly authority: string;
  /** nginx' directives for the certificate of an address. */
  directives(address: string, kind: Kind): string;
}

interface Pair {
  readonly private: string;
  readonly cert: string;
}

/** So many addresses share a certificate, which with them is about as long as those of real sites. */
const TOGETHER = 50;
const DAY_MS = 86_400_000;
const ELSEWHERE = '127.79.0.1';

/** Writes key, authority and certificates into a folder. */
export async function certificatesFor(folder: string, addresses: readonly string[]): Promise<CertificateFiles> {
  const write = (name: string, pem: string): string => {
    writeFileSync(path.join(folder, `${name}.pem`), pem, { mode: 0o600 });
    return path.join(folder, `${name}.pem`);
  };
  const signer = await authority();
  const files = new Map<string, string>();
  const make = async (name: string, group: readonly string[], days?: number): Promise<string> => {
    const { cert, private: key } = await leaf(signer, group, days);
    return `ssl_certificate ${write(name, cert)}; ssl_certificate_key ${write(`${name}-key`, key)};`;
  };
  for (let first = 0; first < addresses.length; first += TOGETHER) {
    const group = addresses.slice(first, first + TOGETHER);
    const directives = await make(`group-${first}`, group);
    for (const address of group) files.set(address, directives);
  }
  const expired = await make('expired', addresses, -10);
  const elsewhere = await make('elsewhere', [ELSEWHERE]);
  return {
    authority: write('authority', signer.cert),
    directives(address, kind) {
      if (kind === 'expired') return expired;
      return kind === 'other-address' ? elsewhere : (files.get(address) ?? elsewhere);
    },
  };
}

// The clock matters: certificates are evaluated against the machine's own.
const between = (fromDays: number, toDays: number) => ({
  notBeforeDate: new Date(Date.now() + fromDays * DAY_MS),
  notAfterDate: new Date(Date.now() + toDays * DAY_MS),
});

async function authority(): Promise<Pair> {
  return generate([{ name: 'commonName', value: 'docvitals benchmark authority' }], {
    ...between(-1, 30),
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
}

async function leaf(signer: Pair, addresses: readonly string[], days = 29): Promise<Pair> {
  return generate([{ name: 'commonName', value: 'docvitals benchmark' }], {
    ...between(Math.min(-1, days - 30), days),
    keyType: 'ec',
    algorithm: 'sha256',
    ca: { key: signer.private, cert: signer.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: addresses.map((ip) => ({ type: 7, ip })) },
    ],
  });
}
