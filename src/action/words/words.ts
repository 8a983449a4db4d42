import type { Verdict } from '../../check.ts';
import type { RestProblem } from '../../github/rest.ts';
import type { Language } from '../../texts.ts';

/** Mistakes in what a workflow gives the Action. All strings are already printable. */
export interface InputWords {
  notOnGitHub(): string;
  badBoolean(input: string, given: string): string;
  badChoice(input: string, given: string, known: string): string;
  badLabel(given: string): string;
  noUrl(): string;
  /** A deployment was announced without the address that it can be seen at. */
  noEnvironmentUrl(): string;
  /** One value is wanted, and there are several lines. */
  severalLines(input: string): string;
  /** A request header that is given twice; its values are secret. */
  repeatedHeader(name: string): string;
  /** An input names a file or folder of the workspace, which is empty. */
  notCheckedOut(input: string, given: string): string;
  /** The configuration that was found is a program, in what somebody proposes. */
  configIsProgram(file: string): string;
}

/** What the Action says that no other part of docvitals does. Markdown where it goes to GitHub's pages. */
export interface ActionWords extends InputWords {
  /** `state`: of the deployment, as GitHub names it; empty: the event does not tell. */
  notDeployed(state: string): string;
  /** Where the report files are. */
  reportsIn(folder: string): string;
  /** The run could not be completed, which `fail-on` does not let pass. */
  couldNotTell(): string;
  /** A new version was waited for, and the site does not tell which one is live. */
  versionUntold(): string;
  noPullRequest(): string;
  /** `input`: what needs it. */
  noToken(input: string): string;
  /** What was not done; `permission`: what the job has to be given, where that would help. */
  refused(what: 'comment' | 'issue', problem: RestProblem, permission: string, detail: string): string;
  issuesOff(): string;
  /** An issue that somebody closed as not planned. */
  issueLeft(issue: number): string;
  /** Names the run of the workflow, as the text of a link. */
  readonly workflowRun: string;
  issueTitle(site: string, verdict: Verdict): string;
  readonly issueIntroduction: string;
  issueChanged(added: readonly string[], gone: readonly string[]): string;
  readonly issueReopened: string;
  issueRecovered(): string;
}

/** Loads the words of one language. */
export async function loadActionWords(language: Language): Promise<ActionWords> {
  if (language === 'ro') return (await import('./ro.ts')).words;
  if (language === 'fr') return (await import('./fr.ts')).words;
  return (await import('./en.ts')).words;
}
