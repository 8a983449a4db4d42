/** Opens what a row of the fault table says. */
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Host } from '../site/host.ts';
import { serveHandlers, siteHandlers } from '../site/handlers.ts';
import { sampleSite } from '../site/sample.ts';
import { certificate } from './certificates.ts';
import type { Serving } from './fault.ts';
import { serveScripts } from './script.ts';

const SITE = sampleSite();

/** A row's server, listening. */
export interface Served {
  /** The address to check. */
  readonly url: string;
  /** What the command needs in its environment to reach the server. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

async function open(serving: Serving): Promise<{ host: Host; env: Record<string, string> }> {
  const { files = {}, scripts, base = '/' } = serving;
  if (serving.tls === undefined && scripts === undefined) {
    return { host: await serveHandlers(siteHandlers(SITE, files, base), base), env: {} };
  }
  const made = serving.tls === undefined ? undefined : await certificate(serving.tls);
  const host = await serveScripts(scripts ?? {}, SITE, { tls: made?.server, base });
  return { host, env: made?.trustFile === undefined ? {} : { NODE_EXTRA_CA_CERTS: made.trustFile } };
}

/** Starts the row's server. */
export async function serve(serving: Serving): Promise<Served> {
  const { host, env } = await open(serving);
  if (serving.gone === true) await host.close();
  const url = serving.address?.(host.url) ?? host.url;
  const close = async (): Promise<void> => {
    if (env['NODE_EXTRA_CA_CERTS'] !== undefined) rmSync(dirname(env['NODE_EXTRA_CA_CERTS']), { recursive: true });
    if (serving.gone !== true) await host.close();
  };
  return { url, env, close };
}
