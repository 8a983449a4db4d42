/** The whole check of a healthy site, as each kind of host serves it with the generated configuration. */
import { rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { startPreview } from '../../src/hosting/preview.ts';
import type { HostRules } from '../../src/hosting/rules.ts';
import type { ReportDocument } from '../../src/report/document.ts';
import { runCli } from '../cli/run.ts';
import { nginxWanted, startNginx } from '../hosts/nginx.ts';
import { HEALTHY_SITE, writeSite } from './site.ts';
import { variantsOf } from './variants.ts';
import { startWorkerd } from './workerd.ts';

/** What is told of the documented rules, kind by kind: nothing but their own traps. Nothing of the improved ones. */
const TRAPS = {
  server: ['caching/config-cached', 'compression/vary-accept-encoding', 'home/media-type', 'navigation/media-type'],
  platform: [
    'caching/assets-not-cached',
    'negotiation/filesystem-first',
    'negotiation/q-values-ignored',
    'negotiation/vary-missing',
  ],
  worker: [
    'caching/assets-not-cached',
    'compression/vary-accept-encoding',
    'negotiation/q-values-ignored',
    'negotiation/vary-missing',
  ],
} as const;

interface Host {
  readonly port: number;
  stop(): Promise<void>;
}

const stops: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** The real thing, where there is one that runs here; the platform's preview follows its own library (platform.test.ts). */
async function start(rules: HostRules): Promise<Host> {
  const { root, site } = writeSite(rules.kind === 'worker' ? rules.base : '/', HEALTHY_SITE);
  stops.push(() => rmSync(root, { recursive: true }));
  if (rules.kind === 'server') return startNginx(site, rules);
  if (rules.kind === 'worker') return startWorkerd(root, rules);
  const preview = await startPreview(site, rules, 0);
  return { port: preview.port, stop: () => preview.close() };
}

const ROWS = (['server', 'platform', 'worker'] as const)
  .filter((kind) => kind !== 'server' || nginxWanted())
  .flatMap((kind) => variantsOf(kind));

describe('docvitals check --full', () => {
  it.each(ROWS)('$name', async ({ rules: { kind, base, improved } }) => {
    const host = await start({ kind, base, improved });
    stops.unshift(() => host.stop());
    const url = `http://127.0.0.1:${host.port}${base}`;
    const { stdout, status } = await runCli(['check', url, '--full', '--host', kind, '--format', 'json']);
    const report = JSON.parse(stdout) as ReportDocument;
    const told = report.checks.flatMap(({ id, findings }) =>
      findings.filter(({ severity }) => severity !== 'info').map(({ code }) => `${id}/${code}`),
    );
    expect({ status, told: [...new Set(told)].toSorted() }).toEqual({ status: 0, told: improved ? [] : TRAPS[kind] });
  });
});
