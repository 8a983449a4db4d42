/** Tells what came of a run, wherever somebody may look: log, outputs, files, job summary, pull request, issue. */
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRest, type Rest } from '../github/rest.ts';
import { OutputError, unwritten } from '../output.ts';
import { annotationsOf } from '../report/annotations.ts';
import { githubLog } from '../report/github.ts';
import { exitStatus } from '../verdict.ts';
import { VERSION } from '../version.ts';
import { outputsOf, verdictLine, writeOutputs } from './outputs.ts';
import type { Plan } from './plan.ts';
import { commentOn, trackIssue, writeSummary, type Publishing } from './publish.ts';
import { writeReports } from './report-files.ts';

/** A run that has ended. */
export interface Ended extends Publishing {
  readonly plan: Plan;
  /** Aborted when the job is cancelled: nothing is sent any more. */
  readonly cancelled: AbortSignal;
}

/** Longest time that GitHub is asked to take comment and issue. */
const PUBLISH_MS = 90_000;

/** Tells everything; `false` where something could not be written, which is then told as an error. */
export async function reportRun(ended: Ended): Promise<boolean> {
  const { report, options, log, env, plan } = ended;
  const { inputs } = plan;
  let isReported = true;
  const attempt = async <T>(write: () => Promise<T>): Promise<T | null> => {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
      isReported = false;
      await log.error(unwritten(error, options.messages));
      return null;
    }
  };
  const annotations = inputs.annotations ? annotationsOf(report, options) : [];
  await log.commands(githubLog(report, options, annotations));
  const location = { folder: inputs.reportDir, temporary: env['RUNNER_TEMP'], workspace: process.cwd() };
  const files = await attempt(() => writeReports(report, options, location));
  if (files !== null) await log.text(ended.words.reportsIn(files.folder));
  const outputs = outputsOf(report, options.messages, plan.run?.strict ?? false, files?.json ?? '');
  await attempt(() => writeOutputs(env, outputs));
  const note = isVersionUntold(ended) ? ended.words.versionUntold() : null;
  if (note !== null) await log.notice(note);
  if (inputs.summary) await attempt(() => writeSummary(ended, files?.json ?? null, note));
  if (!ended.cancelled.aborted) await publish(ended);
  await reportFailure(
    ended,
    annotations.some(({ level }) => level === 'error'),
  );
  return isReported;
}

/**
 * The commit was waited for, and the site does not say which one is live: it may still be the old one. It is well, and
 * that was enough, so that this is no warning.
 */
function isVersionUntold({ report, plan }: Ended): boolean {
  const isOptional = plan.run?.requested?.expected?.optional === true;
  return isOptional && report.waited?.by === 'health' && report.verdict === 'healthy';
}

/** A job that fails has an error that says why; the runner itself gives none. */
async function reportFailure(
  { report, options, log, words, plan, cancelled }: Ended,
  isReported: boolean,
): Promise<void> {
  if (isReported || cancelled.aborted || plan.inputs.failOn === 'never' || exitStatus(report) === 0) return;
  const line = verdictLine(report, options.messages);
  await log.error(report.verdict === 'unknown' ? `${words.couldNotTell()}\n${line}` : line);
}

async function publish(ended: Ended): Promise<void> {
  const { plan, words, log } = ended;
  const { comment, issue, token } = plan.inputs;
  if (!comment && issue === null) return;
  if (token === undefined) return log.warning(words.noToken(comment ? 'comment' : 'issue'));
  const rest = restFor(ended, token);
  if (comment) await commentOn(rest, plan.event, ended);
  if (issue !== null) await trackIssue(rest, issue, plan.run?.strict ?? false, ended);
}

function restFor({ env, cancelled }: Ended, token: string): Rest {
  try {
    // Runners of one's own may have to go through a proxy; by itself Node's `fetch` does not. Before 24.14 Node cannot be
    // told so: the types know nothing of that.
    (http as Partial<typeof http>).setGlobalProxyFromEnv?.({ ...env });
  } catch {
    // It is no address: GitHub is asked without it, and is perhaps not reached.
  }
  return createRest({
    apiUrl: env['GITHUB_API_URL'] || 'https://api.github.com',
    token,
    userAgent: `docvitals/${VERSION}`,
    fetch,
    sleep,
    now: () => Date.now(),
    signal: AbortSignal.any([cancelled, AbortSignal.timeout(PUBLISH_MS)]),
  });
}
