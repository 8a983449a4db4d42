import type { HostFile } from './configuration.ts';
import { documentedWarnings, edgeHandler, fixedNotes } from './edge-handler.ts';
import type { HostRules } from './rules.ts';

/** Netlify's settings and an edge function: its redirects and headers cannot depend on `Accept`. */
export function netlifyConfiguration(rules: HostRules): readonly HostFile[] {
  return [
    { name: 'netlify.toml', text: settings(rules) },
    { name: 'netlify/edge-functions/docs.js', text: edgeFunction(rules) },
  ];
}

const settings = ({ base }: HostRules): string => `[build]
  # The deployed files${base === '/' ? '.' : `; the site itself is below them, in public${base}.`}
  # Deploy no "/* /index.html 200" in _redirects there: missing files would be answered with the bundle.
  publish = "public"
`;

const edgeFunction = (
  rules: HostRules,
): string => `// A static Markdown documentation site on Netlify: pages as Markdown for clients that ask for it.
// Netlify's redirects cannot depend on Accept, and its headers do not apply to responses of an edge function, so this
// function does both.
${rules.improved ? fixedNotes('netlify') : documentedWarnings('netlify')}
export default (request, context) =>
  // By default Netlify drops If-None-Match, so that browsers would load unchanged files again.
  respond(request, (asset) => context.next(asset, { sendConditionalRequest: true }));

export const config = { path: '/*' };

${edgeHandler(rules)}`;
