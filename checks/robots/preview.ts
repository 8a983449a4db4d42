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

/** Parts of a name, between dots, that owners give to what is no production. */
const LABELS = [
  /^(?:dev|development|test|testing|stage|qa|uat|beta|canary|sandbox)\d*$/,
  /(?:^|-)(?:staging|preview|previews)\d*(?:-|$)/,
  // Of one pull or merge request, or of one branch.
  /^(?:pr|mr)-?\d+(?:-|$)/,
  /-(?:pr|mr)-?\d+$/,
  /-git-/,
];

/** Whether a host name is that of a preview or a test site, which search engines are meant to be kept out of. */
export function isPreview(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return (
    PREVIEWS.some((form) => form.test(name)) || ownLabels(name).some((label) => LABELS.some((form) => form.test(label)))
  );
}

/** The parts of a name before the one that was registered: `dev` in `dev.harbour.example`, not in `harbour.dev`. */
function ownLabels(hostname: string): readonly string[] {
  const labels = hostname.split('.');
  // As in `harbour.co.uk`.
  const registered = /(?:^|\.)[a-z]{2,3}\.[a-z]{2}$/.test(hostname) && labels.length > 2 ? 3 : 2;
  return labels.slice(0, -registered);
}
