/** The examples that `--help` shows. They are run by the tests. */

export const GENERAL_EXAMPLES = `
Examples:
  docvitals check https://docs.example.com/
  docvitals explain config/trailing-comma
  docvitals check --help
  docvitals monitor --help
`;

export const CHECK_EXAMPLES = `
Examples:
  docvitals check https://docs.example.com/
  docvitals check https://example.com/docs/ --lang fr
  docvitals check https://docs.example.com/ --full
  docvitals check https://docs.example.com/ --only links,assets
  docvitals check https://docs.example.com/ --only bundle,config --format json
  docvitals check https://docs.example.com/ --report json=report.json --quiet
  docvitals check https://docs.example.com/ --wait 5m --source docs
  docvitals check https://docs.example.com/ --wait 5m --expect-version "$GITHUB_SHA"
  docvitals check https://docs.example.com/ --resolve docs.example.com:443:192.0.2.7
  docvitals check https://staging.example.com/ --header "Authorization: Bearer $TOKEN"
`;

export const EXPLAIN_EXAMPLES = `
Examples:
  docvitals explain navigation
  docvitals explain navigation/spa-fallback --lang ro
`;

export const COMPLETION_EXAMPLES = `
Examples:
  docvitals completion bash > ~/.local/share/bash-completion/completions/docvitals
  docvitals completion zsh > "\${fpath[1]}/_docvitals"
  docvitals completion fish > ~/.config/fish/completions/docvitals.fish
`;

export const HOSTING_EXAMPLES = `
Examples:
  docvitals hosting nginx --url https://docs.example.com/ > docs.conf
  docvitals hosting vercel --base /docs/ --out deploy
  docvitals hosting worker --documented
`;

export const SERVE_EXAMPLES = `
Examples:
  docvitals serve docs --host worker
  docvitals serve public --host platform --base /docs/ --port 8080
`;

export const MANIFEST_EXAMPLES = `
Examples:
  docvitals manifest docs --out manifest.json
  docvitals check https://docs.example.com/ --source manifest.json
`;

export const INIT_EXAMPLES = `
Examples:
  docvitals init --yes --url https://docs.example.com/ --dry-run
  docvitals init --yes --url https://docs.example.com/ --workflow nightly
  docvitals init --yes --url https://example.com/docs/ --host server --hosting
`;

export const CONFIG_EXAMPLES = `
Examples:
  docvitals config check
  docvitals config schema > docvitals.schema.json
`;
