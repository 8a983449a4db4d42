/** Code that answers requests at an edge, in front of static assets, and the files around it for each product. */
import type { HostFile } from './configuration.ts';
import { ASSET_CACHE_CONTROL, BUNDLE_CACHE_CONTROL, LONG_LIFE_SECONDS, LONG_LIVED, type HostRules } from './rules.ts';
import { fill } from './template.ts';

/** The module, its settings and, for the documented rules, a file for the assets. */
export function cloudflareConfiguration(rules: HostRules): readonly HostFile[] {
  const { base, improved } = rules;
  const settings = {
    below: base === '/' ? '.' : `; the site itself is below it, in public${base}.`,
    missing: improved ? 'Differs (soft 404): a' : 'A',
  };
  const redirects = `# The site's own address shows the bundle: with "html_handling": "none" only exact names do.
${base} ${base}index.html 200
`;
  return [
    { name: 'worker.js', text: edgeCode('worker', rules) },
    { name: 'wrangler.jsonc', text: fill('wrangler.jsonc', settings) },
    ...(improved ? [] : [{ name: 'public/_redirects', text: redirects }]),
  ];
}

/** The settings and an edge function: Netlify's redirects and headers cannot depend on `Accept`. */
export function netlifyConfiguration(rules: HostRules): readonly HostFile[] {
  const below = rules.base === '/' ? '.' : `; the site itself is below them, in public${rules.base}.`;
  return [
    { name: 'netlify.toml', text: fill('netlify.toml', { below }) },
    { name: 'netlify/edge-functions/docs.js', text: edgeCode('netlify', rules) },
  ];
}

/** `name` is the argument of `docvitals hosting`. */
function edgeCode(name: 'worker' | 'netlify', { base, improved }: HostRules): string {
  return fill('edge.js', {
    name,
    worker: name === 'worker',
    improved,
    base,
    compression:
      name === 'worker'
        ? '// compression/vary-accept-encoding: what the edge compresses carries no Vary: Accept-Encoding.\n'
        : '',
    bundleCaching: BUNDLE_CACHE_CONTROL,
    assetCaching: `${ASSET_CACHE_CONTROL}, max-age=${LONG_LIFE_SECONDS}`,
    extensions: LONG_LIVED.join('|'),
  });
}
