/** From the inputs and the event to what is to be done. */
import type { Config } from '../config/config.ts';
import { runOptions, type CheckFlags } from '../project/run-options.ts';
import { loadSettings, type ProjectSettings } from '../project/settings.ts';
import { inLanguage } from '../project/usage-error.ts';
import { readEvent, type RunEvent } from './event.ts';
import { InputError } from './input-error.ts';
import { NO_VERSION, readInputs, type Inputs } from './inputs.ts';

/** What a run of the Action is to do. */
export interface Plan {
  readonly inputs: Inputs;
  readonly event: RunEvent;
  readonly settings: ProjectSettings;
  /** `null`: what the event tells of has not been deployed. */
  readonly run: Awaited<ReturnType<typeof runOptions>> | null;
}

/** Reads everything that a run depends on, before anything is sent. Rejects with what is wrong in it. */
export async function planRun(env: NodeJS.ProcessEnv): Promise<Plan> {
  const inputs = readInputs(env);
  const event = readEvent(env);
  const settings = await loadSettings(inputs.flags, env, process.cwd());
  const url = inputs.url ?? event.deployment?.url ?? settings.config.url ?? undefined;
  const isDeployed = inputs.url !== undefined || event.deployment === null || event.deployment.state === 'success';
  if (!isDeployed) return { inputs, event, settings, run: null };
  if (url === undefined) throw new InputError((words) => (event.deployment ? words.noEnvironmentUrl() : words.noUrl()));
  const flags = { ...inputs.flags, ...versionFlags(inputs, event, settings.config), ...strictFlags(inputs) };
  // Where the configuration gives the address, a mistake in it is told without it: it may hold what is secret.
  const given = inputs.url ?? event.deployment?.url ?? undefined;
  const run = await inLanguage(settings.language, () => runOptions(given, flags, settings, env));
  return { inputs, event, settings, run };
}

/**
 * The version that is waited for: the commit, unless something else tells what is new. A site need not tell its version
 * where nobody asked for one.
 */
function versionFlags({ expectVersion, flags }: Inputs, { commit }: RunEvent, { source }: Config): Partial<CheckFlags> {
  if (expectVersion === NO_VERSION) return {};
  if (expectVersion !== undefined) return { expectVersion };
  const isKnown = (flags.source ?? source) !== null || flags.since !== undefined;
  const isWanted = flags.wait !== undefined || flags.versionFrom !== undefined;
  if (!isWanted || isKnown || commit === null) return {};
  return { expectVersion: commit, ...(flags.versionFrom === undefined ? { versionOptional: true } : {}) };
}

/** What is to fail on warnings makes them count in the verdict, so that the job and the report say the same. */
function strictFlags({ failOn, flags }: Inputs): Partial<CheckFlags> {
  return failOn === 'warn' && flags.strict === undefined ? { strict: true } : {};
}
