/** A site on a real nginx, in the clear or over TLS, near or far. */
import { rmSync } from 'node:fs';
import { startNginx } from '../hosts/nginx.ts';
import { freePort } from '../hosts/port.ts';
import { writeSite, type SiteFiles } from '../site/sample.ts';
import { certificateAuthority, TLS_VERSIONS } from './certificates.ts';
import { startDelay } from './delay.ts';
import { newFolder } from './session.ts';

const ADDRESS = '127.0.0.1';

export interface SceneOptions {
  readonly files: SiteFiles;
  /** Further directives for nginx's server block. */
  readonly configuration?: string;
  /** TLS, with so many milliseconds to the host and back. Default: neither. */
  readonly farMs?: number | undefined;
}

export interface Scene {
  /** Base URL, ends with a slash. */
  readonly url: string;
  readonly port: number;
  /** The folder of its files. */
  readonly root: string;
  /** The certificate to trust, as a PEM file, where it speaks TLS. */
  readonly authority?: string;
}

/** Starts nginx with the configuration that `docvitals hosting server` prints, and stops it when it was used. */
export async function withScene<Result>(
  { files, configuration = '', farMs }: SceneOptions,
  use: (scene: Scene) => Promise<Result>,
): Promise<Result> {
  const root = newFolder('site');
  writeSite(files, root);
  const stops: (() => unknown)[] = [() => rmSync(root, { recursive: true, force: true })];
  try {
    if (farMs === undefined) {
      const nginx = await startNginx(root, { improved: true, configuration });
      stops.push(() => nginx.stop());
      return await use({ url: nginx.url, port: nginx.port, root });
    }
    const port = await freePort();
    const authority = await certificateAuthority(newFolder('certificates'));
    const tls = `listen ${ADDRESS}:${port} ssl; ${TLS_VERSIONS} ${await authority.certificate(ADDRESS)}\n`;
    const nginx = await startNginx(root, { improved: true, configuration: tls + configuration });
    stops.push(() => nginx.stop());
    const delay = await startDelay(port, farMs);
    stops.push(delay.stop);
    const url = `https://${ADDRESS}:${delay.port}/`;
    return await use({ url, port: delay.port, root, authority: authority.file });
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}
