/** A certificate that this process trusts for as long as a test lasts. */
import { readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { getCACertificates, setDefaultCACertificates, type TlsOptions } from 'node:tls';
import { certificate } from '../faults/certificates.ts';

interface Trusted {
  readonly tls: TlsOptions;
  /** It is trusted no more, and nothing is left of it. */
  readonly close: () => void;
}

/** Makes one for `localhost`. */
export async function trusted(): Promise<Trusted> {
  const { server: tls, trustFile = '' } = await certificate('good');
  const usual = getCACertificates('default');
  setDefaultCACertificates([...usual, readFileSync(trustFile, 'utf8')]);
  const close = (): void => {
    setDefaultCACertificates(usual);
    rmSync(dirname(trustFile), { recursive: true });
  };
  return { tls, close };
}
