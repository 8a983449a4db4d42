/** A site on a real nginx, in the clear or over TLS, near or far. */
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { startNginx } from '../../hosts/nginx.ts';
import { freePort } from '../../hosts/port.ts';
import { writeSite, type SiteFiles } from '../../site/sample.ts';
import { certificatesFor, TLS_VERSIONS } from '../monitor/certificates.ts';
import { startDelay } from './delay.ts';

const ADDRESS = '127.0.0.1';

export interface SceneOptions {
  /** Where the files are written. */
  readonly folder: string;
  readonly files: SiteFiles;
  /** Further directives for nginx' server block. */
  readonly configuration?: string;
  /** TLS, with so many milliseconds to the host and back. Default: neither. */
  readonly farMs?: number;
}

/** A site that can be asked. */
export interface Scene {
  /** Base URL, ends with a slash. */
  readonly url: string;
  readonly port: number;
  /** The folder of its files. */
  readonly root: string;
  /** The certificate to trust, as a PEM file, where it speaks TLS. */
  readonly authority?: string;
  stop(): Promise<void>;
}

/**
 * Starts nginx with the configuration that `docvitals hosting server` prints, so that no contender has
 * anything to warn of.
 */
export async function startScene({ folder, files, configuration = '', farMs }: SceneOptions): Promise<Scene> {
  const root = mkdtempSync(path.join(folder, 'site-'));
  writeSite(files, root);
  const host = farMs === undefined ? await near(root, configuration) : await far(root, configuration, folder, farMs);
  return { ...host, root, stop: () => host.stop().finally(() => rmSync(root, { recursive: true, force: true })) };
}

type Served = Omit<Scene, 'root'>;

const near = (root: string, configuration: string): Promise<Served> =>
  startNginx(root, { improved: true, configuration });

async function far(root: string, configuration: string, folder: string, roundTripMs: number): Promise<Served> {
  const port = await freePort();
  const { directives, authority } = await tls(folder, port);
  const nginx = await startNginx(root, { improved: true, configuration: directives + configuration });
  try {
    const delay = await startDelay({ port, roundTripMs });
    const stop = (): Promise<void> => {
      delay.stop();
      return nginx.stop();
    };
    return { url: `https://${ADDRESS}:${delay.port}/`, port: delay.port, authority, stop };
  } catch (error) {
    await nginx.stop();
    throw error;
  }
}

/** What makes nginx speak TLS on that port, besides. */
async function tls(folder: string, port: number): Promise<{ readonly directives: string; readonly authority: string }> {
  const files = await certificatesFor(folder, [ADDRESS]);
  const listen = `listen ${ADDRESS}:${port} ssl; ${TLS_VERSIONS}`;
  return { directives: `${listen} ${files.directives(ADDRESS, 'good')}\n`, authority: files.authority };
}
