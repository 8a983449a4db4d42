/** What the ready-made workflows use of others, and of this repository. */

/** The repository of this action, as `uses:` names it. */
export const ACTION_REPOSITORY = 'docvitals/docvitals';

/** The action itself, by its moving major tag. */
export const DOCVITALS = `${ACTION_REPOSITORY}@v0`;

/** The command, as `npx` names it: of the same major version. */
export const PACKAGE = 'docvitals@0';

/** GitHub's own, pinned by commit. */
export const CHECKOUT = 'actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1';
export const UPLOAD_PAGES = 'actions/upload-pages-artifact@fc324d3547104276b827a68afc52ff2a11cc49c9 # v5.0.0';
export const DEPLOY_PAGES = 'actions/deploy-pages@cd2ce8fcbc39b97be8ca5fce6e763baed58fa128 # v5.0.0';
