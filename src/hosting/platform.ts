import type { HostConfiguration } from './configuration.ts';
import { ASKS_FOR_MARKDOWN, platformRoutes } from './platform-routes.ts';
import type { HostRules } from './rules.ts';

/** The platform's configuration file and, as JSON has no comments, notes on it. */
export function platformConfiguration(rules: HostRules): HostConfiguration {
  const settings = rules.improved ? { routes: platformRoutes(rules) } : documented(rules.base);
  const json = { $schema: 'https://openapi.vercel.sh/vercel.json', ...settings };
  return {
    files: [{ name: 'vercel.json', text: `${JSON.stringify(json, null, 2)}\n` }],
    notes: { name: 'vercel.notes.md', text: rules.improved ? mendedNotes(rules.base) : documentedNotes(rules.base) },
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
The rules are the documented ones. The platform’s own order (redirects and headers, then files, then rewrites) limits them:

- Files come before rewrites: where \`index.html\` is in a folder, the folder never negotiates. \`${base}\` itself is one.
- \`trailingSlash\` redirects before rewrites: a path without its slash and without a dot never reaches the second rewrite.
- A folder with a dot in its name (\`v1.2/\`) loses its slash to \`trailingSlash\`, so it never negotiates.
- The condition finds \`text/markdown\` anywhere in \`Accept\`, also with \`q=0\`.
- No answer carries \`Vary: Accept\`: a cache in front may mix Markdown and HTML.

\`docvitals hosting platform --improved\` mends these.
`;

const mendedNotes = (base: string): string => `# Notes on vercel.json

${placed(base)}
It uses \`routes\`, because only they may rewrite before the platform looks for files; the platform allows no \`rewrites\`,
\`headers\`, \`cleanUrls\` or \`trailingSlash\` beside them. Rule by rule, in the order of the file:

1. \`/.well-known\` and the two redirects do what \`trailingSlash: true\` does. Mended, dots: what follows the dot has to
   begin with a letter, so a folder such as \`v1.2/\` is not taken for a file and keeps its slash.
2. Mended, Vary: whatever is negotiated (a path that ends in a slash) carries \`Vary: Accept\`.
3. Mended, caching: the bundle carries \`no-cache, must-revalidate\`, assets keep for 30 days, and \`config.json\`, which
   the rule for \`.json\` files would keep for 30 days as well, is asked for anew after each deploy.
4. Type: Markdown goes out as \`text/markdown\`, whatever the platform takes it for.
5. Mended, files first: the two rewrites to \`index.md\` stand before the file system, so a folder with an \`index.html\`
   negotiates too, \`${base}\` first of all.
6. Mended, q-values: they do not hold where \`Accept\` says \`text/markdown;q=0\`, or gives Markdown a quality below 1 and
   HTML (or \`*/*\`) none, which is 1. Two qualities below 1 cannot be compared by a pattern: Markdown wins.
7. Mended, soft 404: nothing stands after the file system, so a file that is not there is answered with 404.
`;
