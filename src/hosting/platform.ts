import type { HostConfiguration } from './configuration.ts';
import { ASKS_FOR_MARKDOWN, platformRoutes } from './platform-routes.ts';
import type { HostRules } from './rules.ts';

/** The platform's configuration file and, as JSON has no comments, notes on it. */
export function platformConfiguration(rules: HostRules): HostConfiguration {
  const settings = rules.improved ? { routes: platformRoutes(rules) } : documented(rules.base);
  const json = { $schema: 'https://openapi.vercel.sh/vercel.json', ...settings };
  return {
    files: [{ name: 'vercel.json', text: `${JSON.stringify(json, null, 2)}\n` }],
    notes: { name: 'vercel.notes.md', text: rules.improved ? fixedNotes(rules.base) : documentedNotes(rules.base) },
  };
}

const documented = (base: string): object => ({
  trailingSlash: true,
  cleanUrls: false,
  rewrites: [
    { source: `${base}:path*/`, has: [ASKS_FOR_MARKDOWN], destination: `${base}:path*/index.md` },
    { source: base === '/' ? '/' : base.slice(0, -1), destination: `${base}index.html` },
  ],
});

const placed = (base: string): string =>
  base === '/'
    ? 'Put `vercel.json` beside the site’s files, at the root of what is deployed.'
    : `Put \`vercel.json\` at the root of what is deployed; the site’s files are below it, in \`${base.slice(1)}\`.`;

const documentedNotes = (base: string): string => `# Notes on vercel.json

${placed(base)}
These are the documented rules. The platform’s own order (redirects and headers, then files, then rewrites) limits them,
so \`docvitals check --full\` warns about them:

- \`negotiation/filesystem-first\`: files come before rewrites, so a folder with an \`index.html\`, such as \`${base}\`
  itself, never negotiates.
- \`negotiation/slash-dropped\`: a folder with a dot in its name (\`v1.2/\`) loses its slash to \`trailingSlash\`, so it
  never negotiates.
- \`negotiation/q-values-ignored\`: the condition finds \`text/markdown\` anywhere in \`Accept\`, also with \`q=0\`.
- \`negotiation/vary-missing\`: no response carries \`Vary: Accept\`, so a cache in front may mix Markdown and HTML.
- \`caching/assets-not-cached\`: the rules set no \`Cache-Control\`, so images and fonts are requested again on every visit.

\`trailingSlash\` redirects before rewrites: a path without its slash and without a dot never reaches the second rewrite.
Without \`--documented\`, \`docvitals hosting platform\` prints rules that pass.
`;

const fixedNotes = (base: string): string => `# Notes on vercel.json

${placed(base)}
\`docvitals check --full --strict\` passes with it. It uses \`routes\`, because only they can rewrite before the platform
looks for files; the platform allows no \`rewrites\`, \`headers\`, \`cleanUrls\` or \`trailingSlash\` beside them. "Differs"
marks what is changed in the documented rules, which \`docvitals hosting platform --documented\` prints. Rule by rule, in
the order of the file:

1. \`/.well-known\` and the two redirects do what \`trailingSlash: true\` does. Differs: what follows a dot has to begin
   with a letter, so a folder such as \`v1.2/\` is not taken for a file and keeps its slash.
2. Differs (Vary): every negotiated path (it ends in a slash) carries \`Vary: Accept\`.
3. Differs (caching): the bundle carries \`no-cache, must-revalidate\`, and assets are kept for 30 days. \`config.json\` is
   revalidated like the bundle; the rule for \`.json\` files would keep it for 30 days.
4. Markdown is sent as \`text/markdown\`, whatever type the platform has for it.
5. Differs (files first): the two rewrites to \`index.md\` come before the file system, so a folder with an \`index.html\`,
   such as \`${base}\` itself, negotiates too.
6. Differs (q-values): the rewrites do not apply if \`Accept\` has \`text/markdown;q=0\`, or gives Markdown a quality below
   1 and HTML (or \`*/*\`) none, which is 1. A pattern cannot compare two qualities below 1: Markdown wins.
7. Differs (soft 404): nothing comes after the file system, so a missing file is answered with 404.
`;
