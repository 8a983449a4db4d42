/** Caching, compression, robots. */
import { READERS } from '../../../checks/robots/evaluate.ts';
import type { HostReply, HostRequest } from '../deployment.ts';
import { extensionOf, healthyRules } from '../host-rules.ts';
import { change, changeHeaders, changeReply, edit, fault, NOT_SERVER, type Fault, type FaultOptions } from './fault.ts';

const SMALL: FaultOptions = { site: { languages: ['en'], pages: 5, depth: 1 } };

/** `Cache-Control` of some files. */
function cached(
  name: string,
  code: string,
  control: HostReply['headers'],
  applies: (path: string) => boolean,
  options: FaultOptions = SMALL,
): Fault {
  return fault(
    `${name}: ${JSON.stringify(control)}`,
    { caching: [code] },
    (deployment) => {
      const { caching } = healthyRules(deployment.kind);
      change(deployment, { caching: (path) => (applies(path) ? control : caching(path)) });
    },
    options,
  );
}

const isBundle = (path: string): boolean => path.endsWith('index.html');
const isAsset = (path: string): boolean => /^(?:svg|png|jpg|woff2)$/.test(extensionOf(path));
/** Platforms and workers have words of their own. */
const ON_SERVER: FaultOptions = { ...SMALL, kinds: ['server'] };
const MONTH = 'max-age=2592000';

const caching: readonly Fault[] = [
  cached('the bundle is kept for a day', 'bundle-cached', { 'cache-control': 'public, max-age=86400' }, isBundle),
  cached('the bundle is kept for five minutes', 'bundle-briefly-cached', { 'cache-control': 'max-age=300' }, isBundle),
  cached(
    'the bundle is kept for a day by caches on the way',
    'bundle-shared-cached',
    { 'cache-control': 'public, max-age=0, s-maxage=86400, must-revalidate' },
    isBundle,
  ),
  fault(
    'a service worker is kept for a year',
    { caching: ['worker-cached'] },
    (deployment) => {
      const registration = "<script>navigator.serviceWorker.register('sw.js')</script></head>";
      edit(deployment, 'index.html', '</head>', registration);
      deployment.files.set('sw.js', 'self.skipWaiting();\n');
      changeReply(deployment, 'sw.js', ({ headers }) => ({
        headers: { ...headers, 'cache-control': 'public, max-age=31536000, immutable' },
      }));
    },
    SMALL,
  ),
  cached(
    'pages have two lifetimes',
    'contradictory',
    { 'cache-control': ['max-age=60', 'no-cache, max-age=600'] },
    (path) => path.endsWith('.md'),
  ),
  cached('the bundle says nothing of caching', 'bundle-undeclared', {}, isBundle),
  cached('pictures say nothing of caching', 'assets-not-cached', {}, isAsset),
  cached(
    'pictures are kept for an hour',
    'assets-not-cached',
    { 'cache-control': 'public, no-transform, max-age=3600' },
    isAsset,
  ),
  cached(
    'pictures may be transformed',
    'assets-directives',
    { 'cache-control': `public, ${MONTH}` },
    isAsset,
    ON_SERVER,
  ),
  cached(
    'pictures are not public',
    'assets-directives',
    { 'cache-control': `no-transform, ${MONTH}` },
    isAsset,
    ON_SERVER,
  ),
  cached('only lower-case extensions are cached', 'assets-not-cached', {}, (path) => /\.(?:JPG|PNG)$/.test(path)),
  cached(
    'the configuration is kept for a month',
    'config-cached',
    { 'cache-control': `${MONTH}, public, no-transform` },
    (path) => path.endsWith('config.json'),
  ),
  cached('pages are kept for a month', 'pages-cached', { 'cache-control': MONTH }, (path) => path.endsWith('.md')),
  fault(
    'no validators',
    { caching: ['no-validators'] },
    (deployment) => change(deployment, { validators: 'none' }),
    SMALL,
  ),
  fault(
    'validators that change',
    { caching: ['etag-unstable'] },
    (deployment) => change(deployment, { validators: 'changing' }),
    SMALL,
  ),
  fault(
    'validators that nobody reads',
    { caching: ['not-revalidated'] },
    (deployment) => change(deployment, { conditional: false }),
    SMALL,
  ),
];

const compression: readonly Fault[] = [
  fault(
    'nothing is compressed',
    { compression: ['uncompressed'] },
    (deployment) => change(deployment, { compressed: [] }),
    SMALL,
  ),
  ...['text/css', 'text/markdown', 'application/javascript', 'image/svg+xml'].map((type) =>
    fault(
      `${type} is not compressed`,
      { compression: ['uncompressed'] },
      (deployment) => {
        const { compressed } = deployment.rules;
        change(deployment, { compressed: compressed.filter((each) => each !== type) });
      },
      // Networks in front of platforms and workers do not know the type: told, not held against the site.
      type === 'text/markdown' ? ON_SERVER : SMALL,
    ),
  ),
  fault(
    'no Vary: Accept-Encoding',
    { compression: ['vary-accept-encoding'] },
    (deployment) => change(deployment, { variesByEncoding: false }),
    SMALL,
  ),
  fault(
    'gzip for clients that take none',
    { compression: ['forced-encoding'] },
    (deployment) => change(deployment, { forcesGzip: true }),
    SMALL,
  ),
  fault(
    'pictures are compressed again',
    { compression: ['recompressed'] },
    (deployment) => {
      const { compressed } = deployment.rules;
      change(deployment, { compressed: [...compressed, 'image/png', 'image/jpeg', 'font/woff2'] });
      for (const path of deployment.site.pictures) {
        if (!path.endsWith('.svg'))
          deployment.files.set(
            path,
            Buffer.concat([Buffer.from(deployment.files.get(path) ?? ''), Buffer.alloc(4000, path)]),
          );
      }
    },
    SMALL,
  ),
  fault(
    'a compressed form that stops in the middle',
    { compression: ['undecodable'], assets: ['legacy-script-missing'] },
    (deployment) => {
      const { legacy } = deployment.site.bundle;
      const path = decodeURIComponent(deployment.site.options.base) + legacy;
      change(deployment, {
        finish: (request, reply) => {
          const coded = request.path === path && reply.headers['content-encoding'] === 'gzip';
          return coded ? { ...reply, body: reply.body.subarray(0, reply.body.length / 2) } : reply;
        },
      });
    },
    SMALL,
  ),
  fault(
    'another text when compressed',
    { compression: ['bytes-differ'] },
    (deployment) => {
      const { legacy } = deployment.site.bundle;
      const plain = (request: HostRequest): boolean => !(request.headers['accept-encoding'] ?? '').includes('gzip');
      changeReply(deployment, legacy, (reply, request) =>
        plain(request) ? {} : { body: Buffer.from(`${Buffer.from(reply.body).toString('utf8')}/* old */\n`) },
      );
    },
    SMALL,
  ),
];

/** `/robots.txt` with this content. */
function robotsTxt(name: string, codes: readonly string[], content: string, options: FaultOptions = SMALL): Fault {
  return fault(
    `robots.txt: ${name}`,
    { robots: codes },
    (deployment) => {
      deployment.origin.set('/robots.txt', content);
    },
    options,
  );
}

/** `/robots.txt` with another status. */
function robotsStatus(status: number, code: string): Fault {
  return fault(
    `robots.txt: status ${status}`,
    { robots: [code] },
    (deployment) => {
      change(deployment, {
        finish: (request, reply) =>
          request.path === '/robots.txt' ? { status, headers: {}, body: Buffer.from('oops') } : reply,
      });
    },
    SMALL,
  );
}

const robots: readonly Fault[] = [
  robotsTxt('nothing for anyone', ['disallow-all'], 'User-agent: *\nDisallow: /\n'),
  robotsTxt('nothing below the base', ['disallow-all'], 'User-agent: *\nDisallow: /docs/\n', {
    site: { ...SMALL.site, base: '/docs/' },
  }),
  robotsTxt('no Markdown', ['pages-blocked'], 'User-agent: *\nDisallow: /*.md$\n'),
  robotsTxt('no agent index', ['llms-txt-blocked'], 'User-agent: *\nDisallow: /*llms.txt\n'),
  robotsTxt('no configuration', ['engine-blocked'], 'User-agent: *\nDisallow: /*config.json\n'),
  robotsTxt('a slip of the pen', ['bad-line'], 'User-agent: *\nDisalow: /private/\n'),
  robotsTxt('a rule before any agent', ['bad-line'], 'Disallow: /private/\n\nUser-agent: *\nAllow: /\n'),
  robotsTxt(
    'no agent index for those who read it',
    ['llms-txt-agents-blocked'],
    `${READERS.map((agent) => `User-agent: ${agent}\n`).join('')}Disallow: /*llms.txt\n\nUser-agent: *\nAllow: /\n`,
  ),
  robotsTxt(
    'agents shut out by Cloudflare',
    ['agents-blocked-by-host'],
    `# BEGIN Cloudflare Managed content\n\nUser-agent: GPTBot\nDisallow: /\n\n# END Cloudflare Managed Content\n`,
  ),
  robotsTxt('too long', ['too-long'], `User-agent: *\nAllow: /\n${`# ${'-'.repeat(98)}\n`.repeat(6000)}`),
  fault(
    'robots.txt: the bundle',
    { robots: ['spa-fallback'] },
    (deployment) => {
      deployment.origin.set('/robots.txt', deployment.files.get('index.html') ?? '');
    },
    // On a plain web server the fallback is by design.
    { ...SMALL, kinds: NOT_SERVER },
  ),
  robotsTxt('an HTML page', ['html'], '<!doctype html>\n<html><title>Welcome</title></html>\n'),
  robotsStatus(500, 'server-failure'),
  robotsStatus(429, 'rate-limited'),
  fault(
    'X-Robots-Tag: noindex on everything',
    { robots: ['noindex'] },
    (deployment) => changeHeaders(deployment, { 'x-robots-tag': 'noindex, nofollow' }),
    SMALL,
  ),
  fault(
    'a bundle that says noindex',
    { robots: ['noindex'] },
    (deployment) => edit(deployment, 'index.html', '<title>', '<meta name="robots" content="noindex">\n    <title>'),
    SMALL,
  ),
];

export const HEADER_FAULTS: readonly Fault[] = [...caching, ...compression, ...robots];
