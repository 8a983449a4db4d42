/** What names the kind of a host without asking it anything: its address, and the headers that it sends. Pure. */
import type { HostKind, Hosting, Reply } from '../check.ts';

/** Domains under which a provider gives out the addresses of sites. */
const DOMAINS: Readonly<Record<string, HostKind>> = {
  'vercel.app': 'platform',
  'now.sh': 'platform',
  'netlify.app': 'platform',
  'pages.dev': 'platform',
  'workers.dev': 'worker',
  'deno.dev': 'worker',
  'github.io': 'server',
  'gitlab.io': 'server',
  'bitbucket.io': 'server',
  'codeberg.page': 'server',
  'surge.sh': 'server',
};

/** Headers that only one provider sends, on its own addresses and on its customers'. */
const HEADERS: Readonly<Record<string, HostKind>> = {
  'x-vercel-id': 'platform',
  'x-nf-request-id': 'platform',
};

/** Products, as the first word of `Server` names them. CDNs are none: what is behind them may be of any kind. */
const PRODUCTS: readonly (readonly [HostKind, RegExp])[] = [
  ['platform', /^(?:vercel|netlify)$/],
  ['worker', /^deno$/],
  [
    'server',
    /^(?:nginx|openresty|tengine|angie|freenginx|apache|httpd|caddy|lighttpd|litespeed|h2o|cherokee|hiawatha|thttpd|mini_httpd|microsoft-iis|static-web-server|simplehttp|webrick|jetty|amazons3|minio|github\.com)$/,
  ],
];

/** The kind that the host's name tells, e.g. `harbour.vercel.app`; `null` for one of the site's own. */
export function hostingByAddress({ hostname }: URL): Hosting | null {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  const domain = Object.keys(DOMAINS).find((suffix) => name.endsWith(`.${suffix}`));
  const kind = domain === undefined ? undefined : DOMAINS[domain];
  return kind === undefined ? null : { kind, by: 'address', evidence: { host: hostname } };
}

/** The kind that a reply's headers tell; `null` where they name none, or only a CDN in front. */
export function hostingByHeaders({ headers }: Reply): Hosting | null {
  for (const [name, kind] of Object.entries(HEADERS)) {
    if (headers.get(name) !== null) return { kind, by: 'header', evidence: { header: name } };
  }
  const server = headers.get('server');
  const product = /^[^\s/(]+/.exec(server?.trim() ?? '')?.[0].toLowerCase() ?? '';
  const kind = PRODUCTS.find(([, names]) => names.test(product))?.[0];
  return kind === undefined ? null : { kind, by: 'header', evidence: { server } };
}
