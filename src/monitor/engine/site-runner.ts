/** One run over one site: what is seen, and whether it can be trusted. */
import type { Answer, Report } from '../../check.ts';
import type { CheckSiteOptions } from '../../check-site.ts';
import type { EvaluationCache } from '../../evaluation-cache.ts';
import { sharedContext } from '../../http/connect.ts';
import { openSiteSource, siteRun } from '../../project/sites.ts';
import type { Clock } from '../clock/clock.ts';
import { hasAnswered, isSilent, probeSideReason, type ProbeSideReason } from '../connectivity/probe-side.ts';
import type { Observation, Scope } from '../incident/incident.ts';
import type { Log } from '../log/log.ts';
import type { Maintenance } from '../maintenance/maintenance.ts';
import { Contents } from './contents.ts';
import type { ProbeNetwork } from './probe-network.ts';
import type { WatchedSite } from './watched-site.ts';

export interface SiteRunnerOptions {
  readonly check: (options: CheckSiteOptions) => Promise<Report>;
  readonly clock: Clock;
  readonly network: ProbeNetwork;
  readonly maintenanceOf: (watched: WatchedSite, at: number) => Maintenance | null;
  /** When the last one ended; `null`: not lately. */
  readonly maintenanceEnded: (watched: WatchedSite, at: number) => number | null;
  readonly memory: EvaluationCache;
  readonly resolver: NonNullable<CheckSiteOptions['resolver']>;
  readonly env: NodeJS.ProcessEnv;
  /** What sources are relative to. */
  readonly cwd: string;
  readonly log: Log;
}

/** What one run saw. */
export interface SiteRun {
  readonly observation: Observation;
  /** Why it is about us; `null`: it is about the site. */
  readonly probeSide: ProbeSideReason | null;
}

export class SiteRunner {
  readonly #options: SiteRunnerOptions;
  /** How often a site answered: tells whether another one did meanwhile. */
  #answers = 0;
  readonly #secureContext = sharedContext();

  constructor(options: SiteRunnerOptions) {
    this.#options = options;
  }

  /** Looks at a site; `null`: the run was cut off, or there is none of that kind. Rejects with defects of ours only. */
  async look(watched: WatchedSite, scope: Scope, interrupt: AbortSignal): Promise<SiteRun | null> {
    const { check, clock, memory, resolver } = this.#options;
    const run = await this.#run(watched, scope);
    if (run === null) return null;
    const before = { at: clock.now(), gaps: clock.gaps(), blocks: clock.blocks(), answers: this.#answers };
    const contents = new Contents(watched.versions);
    // A run of the whole site hears thousands of answers, and tells no more of these.
    const onAnswer = (answer: Answer): void => (scope === 'five' ? contents.heard(answer) : undefined);
    const sharesConnection = scope === 'five';
    const report = await check({
      ...run,
      sharesConnection,
      memory,
      resolver,
      secureContext: this.#secureContext,
      interrupt,
      onAnswer,
    });
    if (interrupt.aborted) return null;
    const suspended = clock.gaps() !== before.gaps || (isSilent(report) && clock.hasJustResumed());
    const blocked = clock.blocks() !== before.blocks;
    const endedAt = Math.max(before.at, clock.now());
    const answeredMeanwhile = this.#answers !== before.answers;
    if (hasAnswered(report)) {
      this.#answers += 1;
      this.#options.network.answered();
    }
    const probeSide = await probeSideReason(report, {
      suspended,
      blocked,
      answeredMeanwhile,
      control: this.#options.network.control,
    });
    const maintenance = this.#options.maintenanceOf(watched, endedAt);
    const observation: Observation = {
      report,
      scope,
      startedAt: before.at,
      endedAt,
      maintenance: maintenance !== null,
      maintenanceUntil: maintenance?.to ?? this.#options.maintenanceEnded(watched, endedAt),
      isProbeSide: probeSide !== null,
      ...contents.of(report),
    };
    return { observation, probeSide };
  }

  /** What a run runs. A source is opened anew each time: what is deployed is compared with what it says now. */
  async #run({ site, runs }: WatchedSite, scope: Scope): Promise<CheckSiteOptions | null> {
    const run = runs[scope];
    if (run === null || scope === 'five' || site.checking.source === null) return run;
    const { cwd, env, log } = this.#options;
    try {
      return siteRun(site, scope, env, await openSiteSource(site, cwd));
    } catch (error) {
      const { message } = error as Error;
      log('warn', 'source-unreadable', { site: site.id, error: message });
      return run;
    }
  }
}
