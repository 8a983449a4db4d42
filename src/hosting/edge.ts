/** Code that answers requests at an edge, in front of static assets, and the files around it for each product. */
import type { HostFile } from './configuration.ts';
import { ASSET_CACHE_CONTROL, BUNDLE_CACHE_CONTROL, LONG_LIFE_SECONDS, LONG_LIVED, type HostRules } from './rules.ts';

const WORKER_COMPATIBILITY_DATE = '2026-01-01';

/** The module, its settings and, for the documented rules, a file for the assets. */
export function cloudflareConfiguration(rules: HostRules): readonly HostFile[] {
  const { base, improved } = rules;
  const files = [
    { name: 'worker.js', text: workerModule(rules) },
    { name: 'wrangler.jsonc', text: wranglerSettings(base, improved) },
  ];
  if (improved) return files;
  return [
    ...files,
    {
      name: 'public/_redirects',
      text: `# The site's own address shows the bundle: with "html_handling": "none" only exact names do.
${base} ${base}index.html 200
`,
    },
  ];
}

const workerModule = (
  rules: HostRules,
): string => `// A static Markdown documentation site on an edge worker: pages as Markdown for clients that ask for it.
${rules.improved ? improvedNotes('worker') : documentedWarnings('worker')}
export default {
  fetch: (request, env) => respond(request, (asset) => env.ASSETS.fetch(asset)),
};

${edgeHandler(rules)}`;

const wranglerSettings = (base: string, improved: boolean): string => `{
  "name": "docs",
  "main": "worker.js",
  "compatibility_date": "${WORKER_COMPATIBILITY_DATE}",
  "assets": {
    // The deployed files${base === '/' ? '.' : `; the site itself is below it, in public${base}.`}
    "directory": "./public",
    "binding": "ASSETS",
    // Without this, the assets answer before the worker does, and existing files are never negotiated.
    "run_worker_first": true,
    // By default /index.html is redirected to /; the bundle has to answer under its own name.
    "html_handling": "none",
    // ${improved ? 'Differs (soft 404): a' : 'A'} missing file is answered with 404, not with the bundle and status 200.
    "not_found_handling": "none"
  }
}
`;

/** The settings and an edge function: Netlify's redirects and headers cannot depend on `Accept`. */
export function netlifyConfiguration(rules: HostRules): readonly HostFile[] {
  return [
    { name: 'netlify.toml', text: netlifySettings(rules) },
    { name: 'netlify/edge-functions/docs.js', text: edgeFunction(rules) },
  ];
}

const netlifySettings = ({ base }: HostRules): string => `[build]
  # The deployed files${base === '/' ? '.' : `; the site itself is below them, in public${base}.`}
  # Deploy no "/* /index.html 200" in _redirects there: missing files would be answered with the bundle.
  publish = "public"
`;

const edgeFunction = (
  rules: HostRules,
): string => `// A static Markdown documentation site on Netlify: pages as Markdown for clients that ask for it.
// Netlify's redirects cannot depend on Accept, and its headers do not apply to responses of an edge function, so this
// function does both.
${rules.improved ? improvedNotes('netlify') : documentedWarnings('netlify')}
export default (request, context) =>
  // By default Netlify drops If-None-Match, so that browsers would load unchanged files again.
  respond(request, (asset) => context.next(asset, { sendConditionalRequest: true }));

export const config = { path: '/*' };

${edgeHandler(rules)}`;

/** A function `respond(request, fetchAsset)`, in JavaScript. */
function edgeHandler({ base, improved }: Pick<HostRules, 'base' | 'improved'>): string {
  return improved ? `${IMPROVED}\n${headers(base)}\n${QUALITIES}` : DOCUMENTED;
}

const DOCUMENTED = `function respond(request, fetchAsset) {
  const accept = request.headers.get('Accept') ?? '';
  const url = new URL(request.url);
  if (accept.includes('text/markdown') && !url.pathname.endsWith('.md')) {
    url.pathname += url.pathname.endsWith('/') ? 'index.md' : '/index.md';
    return fetchAsset(new Request(url, request));
  }
  return fetchAsset(request);
}
`;

const IMPROVED = `async function respond(request, fetchAsset) {
  const url = new URL(request.url);
  const asset = (path, changes) => {
    const target = new URL(url);
    target.pathname = path;
    const { method, headers } = request;
    // A redirect of the assets (to the one spelling of a name) is for the client to follow.
    return fetchAsset(new Request(target, { method, headers, redirect: 'manual', ...changes }));
  };
  const exists = async (path) => (await asset(path, { method: 'HEAD', headers: {} })).status === 200;

  // Differs (.git): a deployment that is a clone of the repository would publish its .git folder.
  if (/\\/\\.(?!well-known\\/)/.test(url.pathname)) return new Response(null, { status: 404 });

  // Differs (files): an existing file is sent as it is, whatever Accept says: /llms.txt is not /llms.txt/index.md.
  // (Without an extension it may be a folder, for which some asset stores send its index.html.)
  if (/\\.[^/]*$/.test(url.pathname)) {
    const file = await asset(url.pathname);
    if (file.status !== 404) return withHeaders(file, url.pathname);
  }

  const folder = url.pathname.replace(/\\/*$/, '/');
  const isPage = await exists(folder + 'index.md');
  if (isPage && prefersMarkdown(request.headers.get('Accept') ?? '')) {
    return negotiated(await asset(folder + 'index.md'), folder + 'index.md');
  }
  // A folder's own index.html, or the bundle for a folder that is a page.
  const html = (await exists(folder + 'index.html')) ? folder + 'index.html' : isPage ? BUNDLE : null;
  if (html !== null && url.pathname !== folder) {
    return new Response(null, { status: 308, headers: { Location: folder + url.search, Vary: 'Accept' } });
  }
  if (html !== null) return negotiated(await asset(html), html);

  // Differs (soft 404): what is neither a file nor a page is not found.
  return asset(url.pathname);
}
`;

const headers = (base: string): string => `const BUNDLE = '${base}index.html';

// Differs (Vary): caches must keep the variants of one address apart.
function negotiated(response, path) {
  const answer = withHeaders(response, path);
  answer.headers.append('Vary', 'Accept');
  return answer;
}

function withHeaders(response, path) {
  const answer = new Response(response.body, response);
  if (answer.status !== 200 && answer.status !== 304) return answer;
  // What the edge compresses depends on Accept-Encoding.
  const vary = answer.headers.get('Vary') ?? '';
  if (!/accept-encoding/i.test(vary) && /^text\\/|json|svg/.test(answer.headers.get('Content-Type') ?? '')) {
    answer.headers.append('Vary', 'Accept-Encoding');
  }
  if (path === BUNDLE) {
    answer.headers.set('Cache-Control', '${BUNDLE_CACHE_CONTROL}');
  } else if (path === '${base}config.json') {
    // Differs (config.json): the rule for .json files would keep it, and the old settings, for 30 days.
    answer.headers.set('Cache-Control', '${BUNDLE_CACHE_CONTROL}');
  } else if (/\\.(?:${LONG_LIVED.join('|')})$/i.test(path)) {
    answer.headers.set('Cache-Control', '${ASSET_CACHE_CONTROL}, max-age=${LONG_LIFE_SECONDS}');
  } else if (/\\.md$/i.test(path)) {
    // Differs (Markdown): its media type, whatever the asset store knows.
    answer.headers.set('Content-Type', 'text/markdown; charset=utf-8');
  }
  return answer;
}
`;

const QUALITIES = `// Differs (q-values): Markdown is sent if it is named, accepted, and preferred to HTML or equal to it.
function prefersMarkdown(accept) {
  const qualities = new Map();
  for (const range of accept.toLowerCase().split(',')) {
    const [type, ...parameters] = range.split(';').map((part) => part.trim());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    qualities.set(type, q === undefined ? 1 : Number(q.slice(2)) || 0);
  }
  const markdown = qualities.get('text/markdown') ?? 0;
  const html = qualities.get('text/html') ?? qualities.get('text/*') ?? qualities.get('*/*') ?? 0;
  return markdown > 0 && markdown >= html;
}
`;

/** The findings that the documented rules lead to, as a comment. `name` is the argument of `docvitals hosting`. */
const documentedWarnings = (name: 'worker' | 'netlify'): string => `//
// docvitals check --full warns about these rules:
// caching/assets-not-cached: the rules set no Cache-Control, so images and fonts are requested again on every visit.
${name === 'worker' ? '// compression/vary-accept-encoding: what the edge compresses carries no Vary: Accept-Encoding.\n' : ''}\
// negotiation/q-values-ignored: the rules only look for text/markdown in Accept, so text/markdown;q=0 gets Markdown.
// negotiation/vary-missing: responses carry no Vary: Accept, so a cache may mix Markdown and HTML.
// Without --documented, docvitals hosting ${name} prints rules that pass.`;

const improvedNotes = (name: string): string => `//
// docvitals check --full --strict passes. Comments that begin with "Differs" say where the documented rules are changed
// for that; docvitals hosting ${name} --documented prints them unchanged.`;
