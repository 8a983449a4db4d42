/** The servers that a table of faults needs: one over HTTP, and one over TLS for each lifetime of a certificate. */
import type { ServerOptions } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { generate } from 'selfsigned';
import { openServer, type SiteServer } from './serve.ts';

export interface Servers {
  /** Opened when first asked for. `secureDays`: over TLS, with a trusted certificate that ends in so many days. */
  for(secureDays?: number): Promise<SiteServer>;
  close(): Promise<void>;
}

export function openServers(): Servers {
  const open = new Map<number | undefined, Promise<SiteServer>>();
  return {
    for: (secureDays) => {
      const known = open.get(secureDays) ?? opened(secureDays);
      open.set(secureDays, known);
      return known;
    },
    close: async () => {
      for (const server of open.values()) await (await server).close();
    },
  };
}

async function opened(secureDays: number | undefined): Promise<SiteServer> {
  return openServer(secureDays === undefined ? undefined : await trusted(secureDays));
}

const DAY_MS = 86_400_000;

/** Makes a certificate for this machine and trusts it for as long as this process lives. */
async function trusted(days: number): Promise<ServerOptions> {
  const now = Date.now();
  const made = await generate([{ name: 'commonName', value: `for ${days} days` }], {
    notBeforeDate: new Date(now - 30 * DAY_MS),
    notAfterDate: new Date(now + (days + 0.5) * DAY_MS),
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  setDefaultCACertificates([...getCACertificates('default'), made.cert]);
  return { key: made.private, cert: made.cert };
}
