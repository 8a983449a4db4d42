import type { InitWords } from './words.ts';

export const words: InitWords = {
  foundSite(folder, engine) {
    if (folder === null) return 'Site: none found (no folder has an index.html with Markdown beside it)';
    return `Site: ${folder}${engine === null ? '' : ` (${engine})`}`;
  },
  foundHost: (provider, sign) =>
    provider === null ? 'Hosting: nothing found that tells it' : `Hosting: ${provider} (${sign})`,
  foundRepository(name, branch) {
    const of = branch === null ? '' : `, branch ${branch}`;
    return name === null ? `Repository: no remote that is known${of}` : `Repository: ${name}${of}`;
  },
  outsideRepository: 'Repository: none, this folder is not in Git',
  address: (url, origin) => `Address: ${url}${origin === null ? '' : ` (${origin})`}`,
  guessed: (provider) => `guessed: ${provider}`,

  askLanguage: 'Language of the reports',
  askUrl: 'Address of the site',
  askHost: 'What serves the site?',
  hosts: { server: 'a plain web server', platform: 'a hosting platform', worker: 'an edge worker' },
  hostUnknown: 'not sure (docvitals finds out)',
  askWorkflows: 'When should GitHub check the site? (Space selects)',
  workflows: {
    pages: 'after each deploy to GitHub Pages, which this workflow does too',
    push: 'after each push, once Netlify, Cloudflare or another platform has deployed it',
    'deployment-status': 'after each deployment that a platform reports to GitHub, as Vercel does',
    dispatch: 'when a platform or a script sends an event',
    nightly: 'every night; an issue tells what is wrong',
  },
  askHosting: (host) => `Write the configuration of the host too (${host})?`,
  askMonitor: 'Also watch the site round the clock with the monitor?',
  askWrite: 'Write these files?',
  yes: 'Yes',
  no: 'No',
  cancelled: 'Nothing was written.',

  planned: (root) => `Files in ${root}:`,
  states: { new: 'new', unchanged: 'unchanged', exists: 'exists, left alone', replaced: 'exists, replaced' },
  leftAlone: 'What exists is left alone; --force replaces it.',
  dryRun: 'Nothing was written (--dry-run).',
  nothingToWrite: 'There is nothing to write.',
  written: (count) => (count === 1 ? '1 file written.' : `${count} files written.`),

  configured: (file) => `${file} is the configuration already, so no docvitals.yaml is written.`,
  paste: (file) => `${file} deploys to GitHub Pages already. Add this job to it, in place of any \`sleep\`:`,
  command: (forge) =>
    forge === null
      ? 'No repository on GitHub was found, so no workflow is written. After each deploy, run:'
      : `${forge} does not run GitHub’s workflows, so none is written. After each deploy, let its CI run:`,
  noHosting: (provider) =>
    `Hosting: docvitals has no configuration for ${provider}, so none is written. See what there is: docvitals hosting --help`,
  hosting: (file, command) => `What ${file} has to say, and why: ${command}`,
  deployedFolder: (file, base) =>
    base === null
      ? `${file}: name the folder that is deployed; it was not found.`
      : `${file}: name the folder that is deployed; the site has to lie below it, in ${base}`,
  afterwards: {
    pages: 'GitHub Pages: in the repository’s settings, under Pages, choose “GitHub Actions” as the source.',
    push: 'Pushes: the platform has to deploy this branch to the address that is checked; the check waits for it.',
    'deployment-status':
      'Deployments: the platform’s GitHub app has to be installed for this repository. Where deployments are protected, the comments in the workflow show the header that lets the check in.',
    dispatch: 'Dispatch: the comments in the workflow show how a platform sends the event.',
    nightly: 'Nightly: it begins once the workflow is on the default branch.',
  },
  unreachable: (url, isWritten) =>
    isWritten
      ? `GitHub cannot reach ${url}: these workflows fail until they and docvitals.yaml name the public address.`
      : `No workflow is written, because GitHub cannot reach ${url}. Once the site has a public address, run docvitals init with --url again.`,
  monitor: (command) =>
    `The monitor checks the site round the clock, sends notifications and serves a status page. Start it: ${command}`,
  monitorOffer: (command) =>
    `To have the site checked round the clock, with notifications and a status page, start the monitor: ${command}`,
  next: (command) => `Try it: ${command}`,
};
