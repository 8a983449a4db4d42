/** Puts a generated site on a host. */
import type { HostKind } from '../../src/site/host-product.ts';
import type { Deployment } from './deployment.ts';
import { healthyRules } from './host-rules.ts';
import { generateSite, type SiteOptions } from './site.ts';

/** A healthy deployment that faults may be seeded into. */
export function deploymentOf(kind: HostKind, options: SiteOptions): Deployment {
  const site = generateSite(options);
  return {
    kind,
    site,
    files: new Map(site.files),
    origin: new Map([['/robots.txt', site.robots]]),
    rules: healthyRules(kind),
  };
}
