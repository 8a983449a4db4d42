/** The addresses that hosting platforms give to deploys which are no production. */
const PREVIEWS = [
  // <project>-git-<branch>-<team>, <project>-<hash>-<team>
  /-git-[a-z0-9-]+\.vercel\.app$/,
  /-(?=[a-z]*\d)[a-z0-9]{9}-[a-z0-9-]+\.vercel\.app$/,
  // <hash or branch>.<project>
  /^[a-z0-9-]+\.[a-z0-9-]+\.pages\.dev$/,
  // <version>-<worker>.<account>
  /^[0-9a-f]{8}-[a-z0-9-]+\.[a-z0-9-]+\.workers\.dev$/,
  // deploy-preview-<number>--<site>, <branch>--<site>
  /--[a-z0-9-]+\.netlify\.app$/,
];

/** Whether a host name is that of a preview, which search engines are meant to be kept out of. */
export function isPreview(hostname: string): boolean {
  return PREVIEWS.some((form) => form.test(hostname));
}
