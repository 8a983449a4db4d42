import type { HostFile } from './configuration.ts';
import { ASSET_CACHE_CONTROL, BUNDLE_CACHE_CONTROL, LONG_LIFE_SECONDS, LONG_LIVED, type HostRules } from './rules.ts';

/** The compatibility date of the generated worker. */
const WORKER_COMPATIBILITY_DATE = '2026-01-01';

/** The worker module, its settings and, where the settings alone cannot say it, a file for the assets. */
export function workerConfiguration({ base, improved }: HostRules): readonly HostFile[] {
  const settings = { name: 'wrangler.jsonc', text: wrangler(base, improved) };
  if (improved) return [{ name: 'worker.js', text: mended(base) }, settings];
  return [
    { name: 'worker.js', text: DOCUMENTED },
    settings,
    {
      name: 'public/_redirects',
      text: `# The site's own address shows the bundle: with "html_handling": "none" only exact names do.
${base} ${base}index.html 200
`,
    },
  ];
}

const wrangler = (base: string, improved: boolean): string => `{
  "name": "docs",
  "main": "worker.js",
  "compatibility_date": "${WORKER_COMPATIBILITY_DATE}",
  "assets": {
    // The deployed files${base === '/' ? '.' : `; the site itself is below it, in public${base}.`}
    "directory": "./public",
    "binding": "ASSETS",
    // Without this, files are answered before the worker is asked, and nothing that exists is negotiated.
    "run_worker_first": true,
    // By default /index.html is redirected to /; the bundle has to answer under its own name.
    "html_handling": "none",
    // ${improved ? 'Mended: soft 404. ' : ''}A file that is not there is answered with 404, not with the bundle and status 200.
    "not_found_handling": "none"
  }
}
`;

const DOCUMENTED = `// A static Markdown documentation site on an edge worker: pages as Markdown for those who ask for it.
export default {
  async fetch(request, env) {
    const accept = request.headers.get('Accept') ?? '';
    const url = new URL(request.url);
    if (accept.includes('text/markdown') && !url.pathname.endsWith('.md')) {
      url.pathname += url.pathname.endsWith('/') ? 'index.md' : '/index.md';
      return env.ASSETS.fetch(new Request(url, request));
    }
    return env.ASSETS.fetch(request);
  },
};
`;

const mended = (base: string): string => `${HANDLER}
${headers(base)}
${QUALITIES}`;

const HANDLER = `// A static Markdown documentation site on an edge worker: pages as Markdown for those who ask for it,
// with the traps of the documented rules mended.
export default {
  async fetch(request, env) {
    const url = new URL(request.url);
    const asset = (path, changes) => {
      const target = new URL(url);
      target.pathname = path;
      const { method, headers } = request;
      // A redirect of the assets (to the one spelling of a name) is for the client to follow.
      return env.ASSETS.fetch(new Request(target, { method, headers, redirect: 'manual', ...changes }));
    };
    const exists = async (path) => (await asset(path, { method: 'HEAD', headers: {} })).status === 200;

    // Mended: a deployment that is a clone of the repository shows its .git folder to everybody.
    if (/\\/\\.(?!well-known\\/)/.test(url.pathname)) return new Response(null, { status: 404 });

    // Mended: files. A file that is there is itself, whatever Accept says: /llms.txt is not /llms.txt/index.md.
    if (!url.pathname.endsWith('/')) {
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

    // Mended: soft 404. What is no file and no page is not found.
    return asset(url.pathname);
  },
};
`;

const headers = (base: string): string => `const BUNDLE = '${base}index.html';

// Mended: Vary. Caches must not mix what goes out under one address.
function negotiated(response, path) {
  const answer = withHeaders(response, path);
  answer.headers.append('Vary', 'Accept');
  return answer;
}

function withHeaders(response, path) {
  const answer = new Response(response.body, response);
  if (answer.status !== 200 && answer.status !== 304) return answer;
  // What the edge compresses depends on Accept-Encoding.
  if (/^text\\/|json|svg/.test(answer.headers.get('Content-Type') ?? '')) {
    answer.headers.append('Vary', 'Accept-Encoding');
  }
  if (path === BUNDLE) {
    answer.headers.set('Cache-Control', '${BUNDLE_CACHE_CONTROL}');
  } else if (path === '${base}config.json') {
    // Mended: config.json. As one of the .json files it would be kept for 30 days, and with it the old site.
    answer.headers.set('Cache-Control', '${BUNDLE_CACHE_CONTROL}');
  } else if (/\\.(?:${LONG_LIVED.join('|')})$/i.test(path)) {
    answer.headers.set('Cache-Control', '${ASSET_CACHE_CONTROL}, max-age=${LONG_LIFE_SECONDS}');
  } else if (/\\.md$/i.test(path)) {
    // Mended: Markdown's type, whatever the asset store knows.
    answer.headers.set('Content-Type', 'text/markdown; charset=utf-8');
  }
  return answer;
}
`;

const QUALITIES = `// Mended: q-values. Markdown has to be named, wanted at all, and no less than HTML.
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
