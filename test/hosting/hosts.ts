/** Real software with the configuration that `docvitals hosting` makes, and the static server of `docvitals serve`. */
import { rmSync } from 'node:fs';
import type { HostKind } from '../../src/site/host-product.ts';
import { hostConfiguration } from '../../src/hosting/configuration.ts';
import type { HostRules } from '../../src/hosting/rules.ts';
import { startStaticServer } from '../../src/hosting/static-server.ts';
import { nginxWanted, startNginx } from '../hosts/nginx.ts';
import { SITE, writeSite } from './site.ts';
import { startVercel } from './vercel.ts';
import { startWorkerd } from './workerd.ts';

export interface RunningHost {
  readonly port: number;
  stop(): Promise<void>;
}

/** The kinds of host whose software runs here. */
export const KINDS = (['server', 'platform', 'worker'] as const).filter((kind) => kind !== 'server' || nginxWanted());

/** Serves the test site with nginx, the routing library of Vercel, or workerd. */
export async function startReal(rules: HostRules): Promise<RunningHost> {
  const { files } = hostConfiguration(rules);
  // A worker's folder of assets holds the base path.
  const { root, site } = writeSite(rules.kind === 'worker' ? rules.base : '/');
  const real = await start[rules.kind](rules, files, { root, site });
  return {
    port: real.port,
    async stop() {
      await real.stop();
      rmSync(root, { recursive: true });
    },
  };
}

type Start = (
  rules: HostRules,
  files: ReturnType<typeof hostConfiguration>['files'],
  folders: { readonly root: string; readonly site: string },
) => Promise<RunningHost>;

const start: Readonly<Record<HostKind, Start>> = {
  server: (rules, _, { site }) => startNginx(site, rules),
  platform: ({ base }, files) =>
    startVercel(
      new Map(Object.entries(SITE).map(([path, text]) => [`${base}${path}`.slice(1), text])),
      files[0]?.text ?? '',
    ),
  worker: (_, files, { root }) => startWorkerd(root, files),
};

/** Serves the test site as `docvitals serve` does. */
export async function startServe(rules: HostRules): Promise<RunningHost> {
  const { root, site } = writeSite('/');
  const server = await startStaticServer(site, rules, 0);
  return {
    port: Number(new URL(server.url).port),
    async stop() {
      await server.close();
      rmSync(root, { recursive: true });
    },
  };
}
