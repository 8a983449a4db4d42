import type { Report } from '../../check.ts';
import { checked } from '../../project/checked.ts';
import { runOptions, type CheckFlags, type RunPlan } from '../../project/run-options.ts';
import type { ProjectSettings } from '../../project/settings.ts';
import type { RoundState } from '../../wait/wait.ts';
import type { Checking, DrillAround, Target } from './plan.ts';

/** What the checks of a drill are made of. */
export interface CheckingDrills {
  readonly settings: ProjectSettings;
  readonly target: Target;
  /** All checks, and not only the five and the user's own. */
  readonly full: boolean;
  readonly env: NodeJS.ProcessEnv;
  /** Called before each round and each pause of the waiting. */
  readonly onRound?: (state: RoundState) => void;
}

/** Checks that have nothing to look at but what a drill gives them. */
const COMPARING: ReadonlySet<string> = new Set(['source', 'deployed-version']);

/** Whether what is live can be compared with what was cloned: the configuration does not leave that out. */
export function mayCompare({ config }: ProjectSettings): boolean {
  return !config.skip.includes('source');
}

/** How a drill checks what it recovered, as `docvitals check` would. Rejects with a `UsageError`. */
async function checkRecovered(drills: CheckingDrills, checking: Checking): Promise<Report> {
  const { source, wait, interrupt, onAnswer, url } = checking;
  const flags: CheckFlags = {
    format: 'json',
    color: false,
    full: drills.full,
    ...(source === null ? {} : { source }),
    ...(wait === null ? {} : { wait: wait.forMs, stable: wait.stable }),
  };
  const plan = await planFor(drills, url, flags);
  const hooks = drills.onRound === undefined ? {} : { onRound: drills.onRound };
  return checked({ ...plan, wait, interrupt, onAnswer }, drills.settings.language, hooks);
}

/** One request for the bundle takes no longer than this before a drill. */
const GLANCE_MS = 3_000;

/** Whether an address has a bundle already. */
async function hasBundle(drills: CheckingDrills, url: string, interrupt: AbortSignal): Promise<boolean> {
  const plan = await planFor(drills, url, { format: 'json', color: false });
  const bundle = drills.settings.checks.filter(({ id }) => id === 'bundle');
  const limits = { ...plan.limits, retries: 0, timeoutMs: GLANCE_MS, deadlineMs: GLANCE_MS };
  const report = await checked(
    { ...plan, checks: bundle, limits, interrupt, wait: null },
    drills.settings.language,
    {},
  );
  return report.checks.some(({ httpStatus }) => httpStatus === 200);
}

async function planFor({ settings, target, env }: CheckingDrills, url: string, flags: CheckFlags): Promise<RunPlan> {
  const { config } = settings;
  const only = config.only.filter((id) => !COMPARING.has(id));
  const given = { ...settings, config: { ...config, only, source: null } };
  const plan = await runOptions(url, flags, given, env);
  if (target.kind === 'deploy') return plan;
  // The reference host is this process: no proxy leads to it, and nothing secret needs to be sent to it.
  const wants = { ...plan.wants, host: target.rules.kind };
  return { ...plan, wants, environment: {}, headers: {}, resolve: [], family: 0 };
}

/** The part of a drill's surroundings that asks a host. */
export function checksOf(drills: CheckingDrills, interrupt: AbortSignal): Pick<DrillAround, 'check' | 'answers'> {
  return {
    check: (checking) => checkRecovered(drills, checking),
    answers: (url) => hasBundle(drills, url, interrupt),
  };
}
