import { secretsOf } from '../check-site.ts';
import type { Report } from '../check.ts';
import { loadMessages } from '../messages/load.ts';
import { textsFor } from '../project/settings.ts';
import { inLanguage, UsageError } from '../project/usage-error.ts';
import { locator } from '../report/locate.ts';
import { exitStatus } from '../verdict.ts';
import { VERSION } from '../version.ts';
import { roundLog } from '../wait/told.ts';
import { checkOrWait, type Waiting } from '../wait/wait.ts';
import { listenForCancel } from './cancel.ts';
import type { FailOn } from './inputs.ts';
import type { Log } from './log.ts';
import { NO_OUTPUTS, writeOutputs } from './outputs.ts';
import { planRun, type Plan } from './plan.ts';
import { tell } from './tell.ts';
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
  const onRound = roundLog(messages, (line) => void log.text(line));
  const running = checked(plan, plan.run, cancel.signal, onRound);
  // It is waited for below. The requests are on their way; what only the output needs is loaded while they are.
  running.catch(() => {});
  const texts = await textsFor(settings);
  const report = await running;
  const locate = await locator(plan.run.wants?.source ?? null, report);
  const options = { texts, messages, locate, columns: 120, colour: false, detail: 'normal' } as const;
  const isTold = await tell({ report, options, words, log, env, plan, cancelled: cancel.signal });
  return cancel.status() ?? statusOf(report, inputs.failOn, isTold);
}

/** The folder that the repository is checked out into; the runner starts actions there. */
function enterWorkspace(env: NodeJS.ProcessEnv): void {
  try {
    process.chdir(env['GITHUB_WORKSPACE'] || '.');
  } catch {
    // Nothing has been checked out: what needs the folder says so.
  }
}

async function checked(
  { settings }: Plan,
  { wait, ...run }: NonNullable<Plan['run']>,
  interrupt: AbortSignal,
  onRound: NonNullable<Waiting['onRound']>,
): Promise<Report> {
  const running = async (): Promise<Report> => {
    try {
      return await checkOrWait({ ...run, interrupt }, wait, { onRound });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new UsageError((usage) => usage.badProxy(error.message));
    }
  };
  return inLanguage(settings.language, running);
}

/** What the run does to the job: 0 it goes on, 1 it fails; 3 where something could not be written. */
function statusOf(report: Report, failOn: FailOn, isTold: boolean): number {
  const fails = failOn !== 'never' && exitStatus(report) !== 0;
  if (fails) return 1;
  return isTold || failOn === 'never' ? 0 : 3;
}
