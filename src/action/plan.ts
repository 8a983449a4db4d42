/** From the inputs and the event to what is to be done. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import { isModule, CONFIG_FILES } from '../config/load.ts';
import { echoed, inLanguage } from '../project/usage-error.ts';
import { runOptions, type CheckFlags } from '../project/run-options.ts';
import { loadSettings, type ProjectSettings } from '../project/settings.ts';
import { readEvent, type RunEvent } from './event.ts';
import { InputError, NO_VERSION, readInputs, type Inputs } from './inputs.ts';

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
  const workspace = await readdir(process.cwd()).catch((): string[] => []);
  demandCheckout(inputs.flags, workspace);
  demandPlainConfiguration(inputs.flags, event, workspace);
  const settings = await loadSettings(inputs.flags, withoutTokens(env), process.cwd());
  const url = inputs.url ?? event.deployment?.url ?? settings.config.url ?? undefined;
  const isDeployed = inputs.url !== undefined || event.deployment === null || event.deployment.state === 'success';
  if (!isDeployed) return { inputs, event, settings, run: null };
  if (url === undefined) throw new InputError((words) => (event.deployment ? words.noEnvironmentUrl() : words.noUrl()));
  const flags = { ...versionFlags(inputs, event, settings.config), ...strictFlags(inputs) };
  // Where the configuration gives the address, a mistake in it is reported without it: it may hold what is secret.
  const given = inputs.url ?? event.deployment?.url ?? undefined;
  const run = await inLanguage(settings.language, () => runOptions(given, flags, settings, env));
  return { inputs, event, settings, run };
}

/** What is named in the workspace is not there where the step that checks the repository out was forgotten. */
function demandCheckout(flags: CheckFlags, workspace: readonly string[]): void {
  if (workspace.length > 0) return;
  for (const input of ['config', 'source'] as const) {
    const given = flags[input];
    if (given === undefined || path.isAbsolute(given)) continue;
    throw new InputError((words) => words.notCheckedOut(input, echoed(given)));
  }
}

/** What somebody has only proposed is read, but not run: it would have the secrets of the job. */
function demandPlainConfiguration({ config }: CheckFlags, event: RunEvent, workspace: readonly string[]): void {
  if (config !== undefined || !event.isProposed) return;
  const found = CONFIG_FILES.find((location) => workspace.includes(location));
  if (found !== undefined && isModule(found)) throw new InputError((words) => words.configIsProgram(found));
}

/** The environment without what the runner puts there for actions: no configuration may send it anywhere. */
function withoutTokens(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:ACTIONS|INPUT)_/i.test(name)));
}

/**
 * The version that is waited for: the commit that the event brings, unless something else shows what is new. A site need
 * not tell its version where nobody asked for one.
 */
function versionFlags({ expectVersion, flags }: Inputs, event: RunEvent, { source }: Config): CheckFlags {
  if (expectVersion === NO_VERSION) return flags;
  if (expectVersion !== undefined) return { ...flags, expectVersion };
  const { versionFrom, ...others } = flags;
  const isKnown = (flags.source ?? source) !== null || flags.since !== undefined;
  const isWanted = flags.wait !== undefined || versionFrom !== undefined;
  if (!isWanted || isKnown) return flags;
  // Every night, or by hand: where the site names a version says nothing without one that is expected.
  const { deployed, orDeployed } = event;
  if (deployed === null) return others;
  return {
    ...flags,
    expectVersion: deployed,
    versionAlternatives: orDeployed,
    ...(versionFrom === undefined ? { versionOptional: true } : {}),
  };
}

/**
 * What is to fail on warnings makes them count in the verdict, so that the job and the report say the same; whatever
 * else is said of that.
 */
function strictFlags({ failOn }: Inputs): Partial<CheckFlags> {
  return failOn === 'warn' ? { strict: true } : {};
}
