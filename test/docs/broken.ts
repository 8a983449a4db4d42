/** The sample site after a deployment that left a comma in `config.json` and lost `navigation.md`, on a host with an SPA fallback. */
import { startHost, type Host } from '../site/host.ts';
import { sampleSite } from '../site/sample.ts';

export function startBrokenHost(): Promise<Host> {
  const site = sampleSite();
  site.set('config.json', String(site.get('config.json')).replace(/\n\}\n$/, ',\n}\n'));
  site.delete('navigation.md');
  return startHost(site, { fallback: true, server: 'nginx' });
}
