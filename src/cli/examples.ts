/** The examples that help shows; those of the command line as a whole have no name. They are run by the tests. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  '': [
    'docvitals check https://docs.example.com/',
    'docvitals explain config/trailing-comma',
    'docvitals check --help',
    'docvitals monitor --help',
  ],
  check: [
    'docvitals check https://docs.example.com/',
    'docvitals check https://example.com/docs/ --lang fr',
    'docvitals check https://docs.example.com/ --full',
    'docvitals check https://docs.example.com/ --only links,assets',
    'docvitals check https://docs.example.com/ --only bundle,config --format json',
    'docvitals check https://docs.example.com/ --report json=report.json --quiet',
    'docvitals check https://docs.example.com/ --wait 5m --source docs',
    'docvitals check https://docs.example.com/ --wait 5m --expect-version "$GITHUB_SHA"',
    'docvitals check https://docs.example.com/ --resolve docs.example.com:443:192.0.2.7',
    'docvitals check https://staging.example.com/ --header "Authorization: Bearer $TOKEN"',
  ],
  explain: [
    'docvitals explain navigation',
    'docvitals explain navigation/spa-fallback --lang ro',
    'docvitals explain spa-fallback',
    'docvitals explain navigation --format json',
  ],
  manifest: [
    'docvitals manifest docs --out manifest.json',
    'docvitals check https://docs.example.com/ --source manifest.json',
  ],
  monitor: [
    'docvitals monitor',
    'docvitals monitor --config docvitals.yaml --listen 127.0.0.1:9464',
    'docvitals monitor --once --database /var/lib/docvitals/docvitals.db',
  ],
  status: [
    'docvitals status',
    'docvitals status --format json',
    'docvitals status export public',
    'docvitals status export /srv/www/status --database /var/lib/docvitals/docvitals.db',
  ],
  incidents: [
    'docvitals incidents',
    'docvitals incidents --open',
    'docvitals incidents --site docs --since 30d --format json',
  ],
  history: [
    'docvitals history docs',
    'docvitals history docs --since 90d --resolution day',
    'docvitals history docs --since 2026-11-20T18:00Z --until 2026-11-20T19:00Z --resolution round',
    'docvitals history docs --since 7d --format csv > docs.csv',
    'docvitals history import docvitals.db --database postgres://docvitals@db.example.com/docvitals',
  ],
  alert: ['docvitals alert test ops', 'docvitals alert test ops --event recovered --site docs', 'docvitals alert list'],
  maintenance: [
    'docvitals maintenance start docs 30m --reason "new host"',
    'docvitals maintenance end docs',
    'docvitals maintenance list',
  ],
  drill: [
    'docvitals drill --source .',
    'docvitals drill --source docs --format json',
    'docvitals drill --source https://github.com/acme/docs.git --objective 30s',
    'docvitals drill --source . --deploy \'rsync -a "$DOCVITALS_FOLDER/" www:/srv/docs/\' --url https://docs.example.com/',
  ],
  example: [
    'docvitals example',
    'docvitals example systemd-service',
    'docvitals example kubernetes-deployment --out deploy',
  ],
  init: [
    'docvitals init --yes --url https://docs.example.com/ --dry-run',
    'docvitals init --yes --url https://docs.example.com/ --workflow nightly',
    'docvitals init --yes --url https://example.com/docs/ --host server --hosting',
    'docvitals init --llms-txt --dry-run',
  ],
  config: ['docvitals config check', 'docvitals config schema > docvitals.schema.json'],
  hosting: [
    'docvitals hosting nginx --url https://docs.example.com/ > docs.conf',
    'docvitals hosting vercel --base /docs/ --out deploy',
    'docvitals hosting worker --documented',
  ],
  serve: ['docvitals serve docs --host worker', 'docvitals serve public --host platform --base /docs/ --port 8080'],
  completion: [
    'docvitals completion bash > ~/.local/share/bash-completion/completions/docvitals',
    'docvitals completion zsh > "${fpath[1]}/_docvitals"',
    'docvitals completion fish > ~/.config/fish/completions/docvitals.fish',
  ],
};
