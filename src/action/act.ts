import { secretsOf } from '../secrets.ts';
import type { Report } from '../check.ts';
import { loadMessages } from '../messages/load.ts';
import { checked } from '../project/checked.ts';
import { textsFor } from '../project/settings.ts';
import { locator } from '../report/locate.ts';
import { exitStatus } from '../verdict.ts';
import { VERSION } from '../version.ts';
import { runLog } from '../wait/progress-text.ts';
import { listenForCancel } from './cancel.ts';
import type { FailOn } from './inputs.ts';
import type { Log } from './log.ts';
import { NO_OUTPUTS, writeOutputs } from './outputs.ts';
import { planRun } from './plan.ts';
import { reportRun } from './report-run.ts';
import { loadActionWords } from './words/words.ts';

/** Runs the Action; resolves with the exit status. Rejects with usage and configuration errors before anything is sent. */
export async function act(env: NodeJS.ProcessEnv, log: Log): Promise<number> {
  enterWorkspace(env);
  const plan = await planRun(env);
  const { inputs, settings } = plan;
  const [messages, words] = await Promise.all([loadMessages(settings.language), loadActionWords(settings.language)]);
  if (plan.run === null) {
    await writeOutputs(env, NO_OUTPUTS);
    await log.notice(words.notDeployed(plan.event.deployment?.state ?? ''));
    return 0;
  }
  for (const secret of secretsOf(plan.run)) await log.mask(secret);
  await log.text(`docvitals ${VERSION}`);
  const cancel = listenForCancel();
  // A line that cannot be written does not end the waiting: the report after it cannot be written either, and says so.
  const onRun = runLog(messages, (line) => void log.text(line).catch(() => {}));
  const running = checked({ ...plan.run, interrupt: cancel.signal }, settings.language, { onRun });
  // It is waited for below. The requests are on their way; what only the output needs is loaded while they are.
  running.catch(() => {});
  const texts = await textsFor(settings);
  const report = await running;
  const locate = await locator(plan.run.requested?.source ?? null, report);
  const options = { texts, messages, locate, columns: 120, colour: false, detail: 'normal' } as const;
  const isReported = await reportRun({ report, options, words, log, env, plan, cancelled: cancel.signal });
  return cancel.status() ?? statusOf(report, inputs.failOn, isReported);
}

/** The folder that the repository is checked out into; the runner starts actions there. */
function enterWorkspace(env: NodeJS.ProcessEnv): void {
  try {
    process.chdir(env['GITHUB_WORKSPACE'] || '.');
  } catch {
    // Nothing has been checked out: what needs the folder says so.
  }
}

/** What the run does to the job: 0 it goes on, 1 a check failed, 3 it could not tell, or something could not be written. */
function statusOf(report: Report, failOn: FailOn, isReported: boolean): number {
  if (failOn === 'never') return 0;
  const status = exitStatus(report);
  return status === 0 && !isReported ? 3 : status;
}
