import type { ActionWords } from './words.ts';

const NOUNS = { comment: 'the comment', issue: 'the issue' } as const;

export const words: ActionWords = {
  notOnGitHub: () =>
    'this is the GitHub Action, and it does not run in a workflow here. Use the command instead: npx docvitals check https://docs.example.com/',
  badBoolean: (input, given) => `${input}: ${given} is neither true nor false.`,
  badChoice: (input, given, known) => `${input}: unknown value ${given}. Known: ${known}.`,
  badLabel: (given) =>
    `issue: ${given} is no label. Write true, or one label of at most 50 characters without a comma.`,
  noUrl: () => 'url: no address given. Write where the site is, such as https://docs.example.com/.',
  noEnvironmentUrl: () =>
    'url: no address given, and the deployment does not say where it can be seen (environment_url). Write where the site is.',
  severalLines: (input) => `${input}: several lines are given, and one address is wanted.`,
  repeatedHeader: (name) => `headers: ${name} is given more than once. Write each header once.`,
  notCheckedOut: (input, given) =>
    `${input}: ${given} is not there, because the workspace is empty. Check the repository out first, with actions/checkout in a step before this one.`,
  configIsProgram: (file) =>
    `config: ${file} is a program, and this event is about a commit that somebody may only have proposed. Write \`config: ${file}\` to run it all the same, or use docvitals.yaml.`,
  notDeployed: (state) =>
    state === ''
      ? 'The event does not say that the deployment has succeeded: there is nothing to check yet.'
      : `The deployment is at ${state}, not at success: there is nothing to check yet.`,
  reportsIn: (folder) => `Reports: ${folder}`,
  couldNotTell: () => 'docvitals could not tell whether the site is well.',
  versionUntold: () =>
    'wait: nothing on the site tells which version is live, so it was enough that the site is healthy. Give `source`, or publish `version.json`.',
  noPullRequest: () => 'comment: there is no pull request for this run, so no comment was written.',
  noToken: (input) => `${input}: there is no github-token, so nothing was written to GitHub.`,
  refused(what, problem, permission, detail) {
    const lead = `${what}: GitHub did not take ${NOUNS[what]} (${detail}).`;
    if (problem === 'forbidden' || problem === 'not-found')
      return `${lead} Give the job the permission it needs: \`permissions: { ${permission} }\`. Pull requests from forks and Dependabot have a token that may only read.`;
    if (problem === 'unauthorized') return `${lead} The github-token is not valid.`;
    if (problem === 'rate-limited')
      return `${lead} Too many requests were made with this token. The next run tries again.`;
    if (problem === 'invalid' || problem === 'redirected' || problem === 'gone') return lead;
    return `${lead} The next run tries again.`;
  },
  issuesOff: () => 'issue: issues are turned off in this repository.',
  issueLeft: (issue) =>
    `Issue #${issue} was closed as not planned, so it is left as it is until the site has recovered.`,
  workflowRun: 'Workflow run',
  issueTitle(site, verdict) {
    if (verdict === 'down') return `${site} is down`;
    if (verdict === 'stale') return `${site} is live in an old version`;
    return `${site} is degraded`;
  },
  issueIntroduction: 'docvitals keeps this issue up to date, and closes it when the site is well again.',
  issueChanged(added, gone) {
    const lines = [
      ...(added.length === 0 ? [] : [`New: ${added.join(', ')}`]),
      ...(gone.length === 0 ? [] : [`No longer: ${gone.join(', ')}`]),
    ];
    return lines.join('\n\n');
  },
  issueReopened: 'The site is still not well, so this is open again. Close it as not planned to be left alone.',
  issueRecovered: () => 'The site is well again.',
};
