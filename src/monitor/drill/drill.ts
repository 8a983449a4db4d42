/**
 * Rehearses the recovery of a site: its repository is cloned into an empty folder, brought to a host, and checked until
 * it is healthy; each step is timed.
 */
import path from 'node:path';
import type { Report } from '../../check.ts';
import type { HostRules } from '../../hosting/rules.ts';
import { startStaticServer, type StaticServer } from '../../hosting/static-server.ts';
import type { Wait } from '../../wait/wait.ts';
import { siteName } from './source.ts';
import { findSiteIn, type FoundSite } from './find-site.ts';
import { obtain, type Obtained } from './obtain.ts';
import type { DrillAround, DrillPlan, Target } from './plan.ts';
import { runCommand, unled } from './process.ts';
import { metBy, type DrillResult, type Failure, type FailureReason, type Note } from './result.ts';
import { Stopwatch } from './stopwatch.ts';
import { makeWorkspace } from './workspace.ts';

/**
 * Runs a drill to its end and removes what it made. Never rejects over what a repository, a command or a host does;
 * throws as `checkSite` does.
 */
export async function runDrill(plan: DrillPlan, around: DrillAround): Promise<DrillResult> {
  return new Drill(plan, around).run();
}

/** Between two rounds of checks: a recovery is noticed so much late at most. */
const LONGEST_PAUSE_MS = 1_000;

/** Ends the drill in a step. */
class Ended extends Error {
  readonly failure: Omit<Failure, 'step'>;

  constructor(reason: FailureReason, told: Partial<Pick<Failure, 'detail' | 'output'>> = {}) {
    super(reason);
    this.failure = { reason, detail: told.detail ?? null, output: told.output ?? [] };
  }
}

class Drill {
  readonly #plan: DrillPlan;
  readonly #around: DrillAround;
  readonly #watch: Stopwatch;
  readonly #notes: Note[] = [];
  #commit: string | null = null;
  #site: string | null = null;
  #url: string | null = null;
  #report: Report | null = null;
  #server: StaticServer | null = null;

  constructor(plan: DrillPlan, around: DrillAround) {
    this.#plan = plan;
    this.#around = around;
    this.#watch = new Stopwatch(() => around.clock(), around.onStep);
  }

  async run(): Promise<DrillResult> {
    const { source, target, keep } = this.#plan;
    if (source.kind === 'repository' && source.uncommitted > 0)
      this.#notes.push({ id: 'uncommitted', count: source.uncommitted });
    if (target.kind === 'deploy' && (await this.#around.answers(target.url)))
      this.#notes.push({ id: 'answered-before' });
    const startedAt = this.#around.now();
    this.#watch.start(source.kind === 'folder' ? 'copy' : 'clone');
    let folder: string | null = null;
    let failure: Failure | null = null;
    try {
      const workspace = await makeWorkspace(keep).catch((error: NodeJS.ErrnoException) => {
        throw new Ended('no-room', { detail: error.code ?? error.message });
      });
      folder = path.join(workspace.folder, 'clone');
      try {
        await this.#recover(folder);
      } finally {
        await this.#server?.close();
        this.#watch.stop();
        await workspace.end();
      }
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
      failure = { step: this.#watch.step, ...error.failure };
    }
    return this.#told(startedAt, failure, keep ? folder : null);
  }

  async #recover(folder: string): Promise<void> {
    const { source, target } = this.#plan;
    const obtained = await obtain(source, {
      target: folder,
      branch: this.#plan.branch,
      env: this.#around.env,
      signal: this.#signal(),
    });
    this.#demandTime();
    if (!obtained.ok) throw new Ended(obtained.reason, obtained);
    const site = await this.#look(folder, obtained);
    const serves = target.kind === 'serve';
    if (!site.ok && (serves || site.reason === 'no-folder')) throw new Ended(site.reason);
    this.#site = site.ok ? siteName(site.name, source) : null;
    this.#watch.next(serves ? 'serve' : 'deploy');
    if (serves) await this.#serve(site.ok ? site.folder : folder, target.rules);
    else await this.#deploy(folder, site, target);
  }

  #look(folder: string, { commit, hasSubmodules }: Extract<Obtained, { ok: true }>): Promise<FoundSite> {
    const { source } = this.#plan;
    this.#commit = commit;
    if (hasSubmodules) this.#notes.push({ id: 'submodules' });
    return findSiteIn(folder, source.kind === 'repository' ? source.prefix : '', this.#plan.folder);
  }

  async #serve(folder: string, rules: HostRules): Promise<void> {
    this.#server = await startStaticServer(folder, rules, 0).catch((error: NodeJS.ErrnoException) => {
      throw new Ended('cannot-serve', { detail: error.code ?? error.message });
    });
    await this.#check(this.#server.url, null, null);
  }

  async #deploy(folder: string, site: FoundSite, target: Extract<Target, { kind: 'deploy' }>): Promise<void> {
    const { env, onOutput } = this.#around;
    const { status, signal, error, output } = await runCommand({
      run: { shell: target.command },
      cwd: folder,
      env: { ...unled(env), DOCVITALS_FOLDER: site.ok ? site.folder : folder },
      signal: this.#signal(),
      ...(onOutput === undefined ? {} : { onOutput }),
    });
    this.#demandTime(output);
    if (status !== 0) throw new Ended('deploy-failed', { detail: error ?? signal ?? `exit status ${status}`, output });
    const compared = target.compare && site.ok ? site.folder : null;
    if (compared === null) this.#notes.push({ id: 'not-compared' });
    await this.#check(target.url, compared, { forMs: this.#leftMs(), stable: 1, longestPauseMs: LONGEST_PAUSE_MS });
  }

  async #check(url: string, source: string | null, wait: Wait | null): Promise<void> {
    this.#watch.next('first-answer');
    let hasAnswered = false;
    this.#report = await this.#around.check({
      url,
      source,
      wait,
      interrupt: this.#around.interrupt,
      onAnswer: (answer) => {
        if (hasAnswered || answer.kind !== 'reply' || answer.status >= 400) return;
        hasAnswered = true;
        this.#watch.next('healthy');
      },
    });
    this.#watch.stop();
    this.#url = this.#report.site.url;
    const { verdict, interrupted } = this.#report;
    if (interrupted || verdict === 'healthy') return;
    if (verdict === 'unknown') throw new Ended('not-told');
    throw new Ended(hasAnswered ? 'not-healthy' : 'no-answer');
  }

  /** Aborted when the time is up or somebody stops the drill. */
  #signal(): AbortSignal {
    return AbortSignal.any([this.#around.interrupt, AbortSignal.timeout(Math.max(1, Math.ceil(this.#leftMs())))]);
  }

  #leftMs(): number {
    return Math.max(0, this.#plan.deadlineMs - this.#watch.elapsedMs);
  }

  #demandTime(output: readonly string[] = []): void {
    if (this.#around.interrupt.aborted || this.#leftMs() === 0) throw new Ended('time-up', { output });
  }

  #told(startedAt: Date, failure: Failure | null, folder: string | null): DrillResult {
    const { source, objectiveMs } = this.#plan;
    const interrupted = this.#around.interrupt.aborted;
    const totalMs = this.#watch.totalMs;
    // What somebody stopped has not failed.
    const told = interrupted ? null : failure;
    return {
      source: source.name,
      commit: this.#commit,
      startedAt: startedAt.toISOString(),
      site: this.#site,
      url: this.#url,
      steps: this.#watch.steps(failure === null && !interrupted),
      failure: told,
      interrupted,
      totalMs,
      objectiveMs,
      objectiveMet: metBy({ failure: told, interrupted, totalMs, objectiveMs }),
      notes: this.#notes,
      folder,
      report: this.#report,
    };
  }
}
