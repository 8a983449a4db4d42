/** Rehearses the recovery of a site: gets its files, brings them to a host, checks until it is healthy, times each step. */
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Answer, Report } from '../../check.ts';
import type { HostRules } from '../../hosting/rules.ts';
import { startStaticServer, type StaticServer } from '../../hosting/static-server.ts';
import type { Wait } from '../../wait/wait.ts';
import { runCommand } from '../run-command.ts';
import type { Failure, FailureReason, Note, StepId } from './result.ts';
import { gitEnvironment, obtain, siteFolderIn, siteName, type DrillSource, type SiteFolder } from './source.ts';

export type Target =
  | { readonly kind: 'serve'; readonly rules: HostRules }
  | {
      readonly kind: 'deploy';
      readonly command: string;
      /** The address of the deployed site; may contain userinfo. */
      readonly url: string;
      readonly compare: boolean;
    };

/** Times are in milliseconds. */
export interface DrillPlan {
  readonly source: DrillSource;
  readonly branch: string | null;
  readonly folder: string | null;
  readonly target: Target;
  readonly objectiveMs: number;
  /** Ends the drill after the run of the checks in progress. */
  readonly deadlineMs: number;
  readonly keep: boolean;
}

export interface CheckRequest {
  readonly url: string;
  /** A folder that the deployed files are compared with. */
  readonly source: string | null;
  readonly wait: Wait | null;
  readonly interrupt: AbortSignal;
  readonly onAnswer: (answer: Answer) => void;
}

/** What a drill needs from the program around it. */
export interface DrillContext {
  /** Monotonic milliseconds. */
  clock(): number;
  now(): Date;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the drill early. */
  readonly interrupt: AbortSignal;
  check(request: CheckRequest): Promise<Report>;
  /** Whether an address has an engine bundle. */
  hasBundle(url: string): Promise<boolean>;
  findSite(top: string): Promise<string | null>;
  readonly onStep?: (step: StepId) => void;
  /** Receives the output of the deploy command as it comes. */
  readonly onOutput?: (text: string) => void;
}

export type DrillResult = Awaited<ReturnType<Drill['run']>>;

/** Removes what it made. Rejects only as `checkSite` does. */
export function runDrill(plan: DrillPlan, context: DrillContext): Promise<DrillResult> {
  return new Drill(plan, context).run();
}

/** Between two runs of the checks: the recovery is detected up to 1 s late. */
const LONGEST_PAUSE_MS = 1_000;

/** Failures of this machine: they say nothing about the recovery. */
const LOCAL: ReadonlySet<FailureReason> = new Set(['no-git', 'no-room', 'cannot-serve', 'not-told']);

/** Ends the drill in its current step. */
class DrillError extends Error {
  readonly failure: Omit<Failure, 'step'>;

  constructor(reason: FailureReason, { detail = null, output = [] }: Partial<Pick<Failure, 'detail' | 'output'>> = {}) {
    super(reason);
    this.failure = { reason, detail, output };
  }
}

class Drill {
  readonly #plan: DrillPlan;
  readonly #context: DrillContext;
  readonly #notes: Note[] = [];
  /** When each step began, in whole milliseconds since the first. */
  readonly #steps: { readonly id: StepId; readonly atMs: number }[] = [];
  #startMs = 0;
  #totalMs: number | null = null;
  #commit: string | null = null;
  #site: string | null = null;
  #url: string | null = null;
  #report: Report | null = null;

  constructor(plan: DrillPlan, context: DrillContext) {
    this.#plan = plan;
    this.#context = context;
  }

  async run() {
    const { source, target, keep, objectiveMs } = this.#plan;
    if (source.kind === 'repository' && source.uncommitted > 0)
      this.#notes.push({ id: 'uncommitted', count: source.uncommitted });
    if (target.kind === 'deploy' && (await this.#context.hasBundle(target.url)))
      this.#notes.push({ id: 'answered-before' });
    const startedAt = this.#context.now();
    this.#startMs = this.#context.clock();
    this.#begin(source.kind === 'folder' ? 'copy' : 'clone');
    const { folder, failure } = await this.#rehearse();
    const interrupted = this.#context.interrupt.aborted;
    const totalMs = this.#totalMs ?? this.#elapsedMs;
    const steps = this.#steps.map(({ id, atMs }, index) => ({
      id,
      durationMs: (this.#steps[index + 1]?.atMs ?? totalMs) - atMs,
    }));
    const isUnknown = interrupted || (failure !== null && LOCAL.has(failure.reason));
    return {
      /** As the user wrote it, without userinfo. */
      source: source.name,
      /** The full hash; `null` for a plain folder, and if nothing was cloned. */
      commit: this.#commit,
      startedAt: startedAt.toISOString(),
      /** The site's folder below the root of the clone; for the root its own name. */
      site: this.#site,
      /** The address of the checks, without userinfo. */
      url: this.#url,
      /** Those that are complete. They follow each other without gaps: their times add up to the total. */
      steps: failure === null && !interrupted ? steps : steps.slice(0, -1),
      failure: interrupted ? null : failure,
      interrupted,
      totalMs,
      objectiveMs,
      /** `null` if this machine failed or the drill was stopped. */
      objectiveMet: isUnknown ? null : failure === null && totalMs <= objectiveMs,
      notes: this.#notes,
      folder: keep ? folder : null,
      report: this.#report,
    };
  }

  async #rehearse(): Promise<{ readonly folder: string | null; readonly failure: Failure | null }> {
    let folder: string | null = null;
    try {
      const workspace = await makeWorkspace(this.#plan.keep);
      folder = path.join(workspace.folder, 'clone');
      try {
        await this.#recover(folder);
      } finally {
        this.#stop();
        await workspace.end();
      }
      return { folder, failure: null };
    } catch (error) {
      if (!(error instanceof DrillError)) throw error;
      return { folder, failure: { step: this.#steps.at(-1)?.id ?? 'clone', ...error.failure } };
    }
  }

  async #recover(folder: string): Promise<void> {
    const { source, target, branch } = this.#plan;
    const { env } = this.#context;
    const obtained = await obtain(source, { target: folder, branch, env, signal: this.#signal() });
    this.#demandTime();
    if (!obtained.ok) throw new DrillError(obtained.reason, obtained);
    this.#commit = obtained.commit;
    if (obtained.hasSubmodules) this.#notes.push({ id: 'submodules' });
    const prefix = source.kind === 'repository' ? source.prefix : '';
    const site = await siteFolderIn(folder, prefix, this.#plan.folder, (top) => this.#context.findSite(top));
    // A deploy command may build the site first.
    if (!site.ok && (target.kind === 'serve' || site.reason === 'no-folder')) throw new DrillError(site.reason);
    this.#site = site.ok ? siteName(site.name, source) : null;
    this.#begin(target.kind);
    if (target.kind === 'serve') await this.#serve(site.ok ? site.folder : folder, target.rules);
    else await this.#deploy(folder, site, target);
  }

  async #serve(folder: string, rules: HostRules): Promise<void> {
    const server: StaticServer = await startStaticServer(folder, rules, 0).catch((error: NodeJS.ErrnoException) => {
      throw new DrillError('cannot-serve', { detail: error.code ?? error.message });
    });
    try {
      await this.#check(server.url, null, null);
    } finally {
      await server.close();
    }
  }

  async #deploy(folder: string, site: SiteFolder, target: Extract<Target, { kind: 'deploy' }>): Promise<void> {
    const { env, onOutput } = this.#context;
    const { status, signal, error, output } = await runCommand({
      run: { shell: target.command },
      cwd: folder,
      env: { ...gitEnvironment(env), DOCVITALS_FOLDER: site.ok ? site.folder : folder },
      signal: this.#signal(),
      ...(onOutput === undefined ? {} : { onOutput }),
    });
    this.#demandTime(output);
    if (status !== 0) {
      throw new DrillError('deploy-failed', { detail: error ?? signal ?? `exit status ${status}`, output });
    }
    const compared = target.compare && site.ok ? site.folder : null;
    if (compared === null) this.#notes.push({ id: 'not-compared' });
    await this.#check(target.url, compared, { forMs: this.#leftMs, stable: 1, longestPauseMs: LONGEST_PAUSE_MS });
  }

  async #check(url: string, source: string | null, wait: Wait | null): Promise<void> {
    this.#begin('first-answer');
    let hasAnswered = false;
    const { interrupt } = this.#context;
    const onAnswer = (answer: Answer): void => {
      if (hasAnswered || answer.kind !== 'reply' || answer.status >= 400) return;
      hasAnswered = true;
      this.#begin('healthy');
    };
    this.#report = await this.#context.check({ url, source, wait, interrupt, onAnswer });
    this.#stop();
    this.#url = this.#report.site.url;
    const { verdict, interrupted } = this.#report;
    if (interrupted || verdict === 'healthy') return;
    if (verdict === 'unknown') throw new DrillError('not-told');
    throw new DrillError(hasAnswered ? 'not-healthy' : 'no-answer');
  }

  #begin(id: StepId): void {
    this.#steps.push({ id, atMs: this.#elapsedMs });
    this.#context.onStep?.(id);
  }

  /** Stops the clock; the first call counts. */
  #stop(): void {
    this.#totalMs ??= this.#elapsedMs;
  }

  get #elapsedMs(): number {
    return Math.round(this.#context.clock() - this.#startMs);
  }

  get #leftMs(): number {
    return Math.max(0, this.#plan.deadlineMs - this.#elapsedMs);
  }

  /** Aborts at the deadline, or when the drill is stopped. */
  #signal(): AbortSignal {
    return AbortSignal.any([this.#context.interrupt, AbortSignal.timeout(Math.max(1, this.#leftMs))]);
  }

  #demandTime(output: readonly string[] = []): void {
    if (this.#context.interrupt.aborted || this.#leftMs === 0) throw new DrillError('time-up', { output });
  }
}

/** An empty temporary folder, which is removed at the end, or at the latest with this process, unless it is kept. */
async function makeWorkspace(keep: boolean): Promise<{ readonly folder: string; end(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'docvitals-drill-')).catch((error: NodeJS.ErrnoException) => {
    throw new DrillError('no-room', { detail: error.code ?? error.message });
  });
  if (keep) return { folder, end: () => Promise.resolve() };
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  return {
    folder,
    async end() {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
      process.off('exit', remove);
    },
  };
}
