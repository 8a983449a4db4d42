import type { HostFile } from './configuration.ts';
import { documentedWarnings, edgeHandler, fixedNotes } from './edge-handler.ts';
import type { HostRules } from './rules.ts';

/** The compatibility date of the generated worker. */
const WORKER_COMPATIBILITY_DATE = '2026-01-01';

/** The worker module, its settings and, where the settings are not enough, a file for the assets. */
export function workerConfiguration(rules: HostRules): readonly HostFile[] {
  const { base, improved } = rules;
  const files = [
    { name: 'worker.js', text: workerModule(rules) },
    { name: 'wrangler.jsonc', text: wrangler(base, improved) },
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
${rules.improved ? fixedNotes('worker') : documentedWarnings('worker')}
export default {
  fetch: (request, env) => respond(request, (asset) => env.ASSETS.fetch(asset)),
};

${edgeHandler(rules)}`;

const wrangler = (base: string, improved: boolean): string => `{
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
