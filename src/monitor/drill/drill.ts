/** Rehearses the recovery of a site: gets its files, brings them to a host, checks until it is healthy, times each step. */
import { constants, rmSync } from 'node:fs';
import { cp, lstat, mkdtemp, realpath, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withoutUserinfo } from '../../core/base-url.ts';
import type { Answer } from '../../core/answer.ts';
import type { Report } from '../../core/check.ts';
import type { DrillWords } from '../../generated/locales/drill.ts';
import type { HostRules } from '../../hosting/rules.ts';
import { startStaticServer } from '../../hosting/static-server.ts';
import type { CheckFlags } from '../../options/arguments.ts';
import { checked, runOptions, type RunPlan } from '../../options/run-options.ts';
import type { ProjectSettings } from '../../options/settings.ts';
import { SourceError } from '../../source/content.ts';
import { git, gitEnvironment, IN_WORK_TREE, INERT } from '../../source/git.ts';
import type { Waiting } from '../../wait/wait.ts';
import { runCommand, type CommandResult } from '../run-command.ts';

export type Target =
  | { readonly kind: 'serve'; readonly rules: HostRules }
  | {
      readonly kind: 'deploy';
      readonly command: string;
      /** The address of the deployed site; may contain userinfo. */
      readonly url: string;
      /** Whether the deployed files are compared with the clone. */
      readonly compare: boolean;
    };

/** What a drill does, and with what. Times are in milliseconds. */
export interface DrillOptions {
  readonly source: DrillSource;
  readonly branch: string | null;
  /** The site's folder in the clone; `null`: search for it. */
  readonly folder: string | null;
  readonly target: Target;
  readonly recoveryTimeObjectiveMs: number;
  /** Ends the drill after the run of the checks in progress. */
  readonly deadlineMs: number;
  readonly keep: boolean;
  readonly settings: ProjectSettings;
  /** The recovered site has to pass the full check. */
  readonly full: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly interrupt: AbortSignal;
  /** Finds the folder of a site, relative to an absolute path. */
  findSite(this: void, top: string): Promise<string | null>;
  readonly onStep: (step: StepId) => void;
  readonly onRun: NonNullable<Waiting['onRun']>;
  readonly onOutput?: (text: string) => void;
}

/**
 * The steps of a drill, in order. `clone` and `copy` get the files, `serve` and `deploy` bring them to a host,
 * `first-answer` ends with the first file that the host sends, `healthy` with the first run in which all checks pass.
 */
export type StepId = 'clone' | 'copy' | 'serve' | 'deploy' | 'first-answer' | 'healthy';

type Note =
  /** Files of the work tree that differ from its last commit, so that a recovery would not have them. */
  | { readonly id: 'uncommitted'; readonly count: number }
  /** `submodules`: they are not cloned; `answered-before`: a redeployment was measured. */
  | { readonly id: 'submodules' | 'answered-before' | 'not-compared' };

/** Between two runs of the checks: the recovery is detected up to 1 s late. */
const LONGEST_PAUSE_MS = 1_000;

/** The limits of the request that shows whether there is a site already. */
const BUNDLE_LIMITS = { retries: 0, timeoutMs: 3_000, deadlineMs: 3_000 };

/** Failures of this machine: they say nothing about the recovery. */
const LOCAL: ReadonlySet<Failure['reason']> = new Set(['no-git', 'no-room', 'cannot-serve', 'not-told']);

export type DrillResult = Awaited<ReturnType<Drill['run']>>;

export class Drill {
  readonly #options: DrillOptions;
  readonly #notes: Note[] = [];
  /** When each step began, in whole milliseconds since the first. */
  readonly #steps: { readonly id: StepId; readonly atMs: number }[] = [];
  #startMs = 0;
  #stoppedMs: number | null = null;
  #commit: string | null = null;
  #site: string | null = null;
  #report: Report | null = null;

  constructor(options: DrillOptions) {
    this.#options = options;
  }

  /** Removes what it made. Rejects as `runOptions` and `checked` do. */
  async run() {
    const { source, target, keep, recoveryTimeObjectiveMs, interrupt } = this.#options;
    if (source.uncommitted > 0) this.#notes.push({ id: 'uncommitted', count: source.uncommitted });
    if (target.kind === 'deploy' && (await this.#hasBundle(target.url))) this.#notes.push({ id: 'answered-before' });
    const startedAt = new Date().toISOString();
    this.#startMs = performance.now();
    const { folder, failure } = await this.#rehearse();
    const totalMs = this.#stoppedMs ?? this.#elapsedMs;
    const steps = this.#steps.map(({ id, atMs }, index) => ({
      id,
      durationMs: (this.#steps[index + 1]?.atMs ?? totalMs) - atMs,
    }));
    const interrupted = interrupt.aborted;
    const isUnknown = interrupted || (failure !== null && LOCAL.has(failure.reason));
    return {
      /** As the user wrote it, without userinfo. */
      source: source.name,
      /** The full hash; `null` for a plain folder, and if nothing was cloned. */
      commit: this.#commit,
      startedAt,
      /** The site's folder below the root of the clone; for the root its own name. */
      site: this.#site,
      url: this.#report?.site.url ?? null,
      /** Those that are complete. They follow each other without gaps: their times add up to the total. */
      steps: failure === null && !interrupted ? steps : steps.slice(0, -1),
      failure: interrupted ? null : failure,
      interrupted,
      totalMs,
      recoveryTimeObjectiveMs,
      /** `null` if this machine failed or the drill was stopped. */
      recoveryTimeObjectiveMet: isUnknown ? null : failure === null && totalMs <= recoveryTimeObjectiveMs,
      notes: this.#notes,
      folder: keep ? folder : null,
      report: this.#report,
    };
  }

  async #rehearse(): Promise<{ readonly folder: string | null; readonly failure: Failure | null }> {
    const { source, keep } = this.#options;
    let folder: string | null = null;
    this.#begin(source.kind === 'folder' ? 'copy' : 'clone');
    try {
      const workspace = await makeWorkspace(keep);
      folder = path.join(workspace.folder, 'clone');
      try {
        await this.#recover(folder);
      } finally {
        this.#stoppedMs ??= this.#elapsedMs;
        workspace.end();
      }
      return { folder, failure: null };
    } catch (error) {
      if (!(error instanceof DrillError)) throw error;
      return { folder, failure: { step: this.#steps.at(-1)?.id ?? 'clone', ...error.failure } };
    }
  }

  async #recover(clone: string): Promise<void> {
    const { source, target, branch, env } = this.#options;
    const obtaining = obtain(source, { target: clone, branch, env, signal: this.#signal() });
    const { commit, hasSubmodules } = await obtaining.finally(() => this.#demandTime());
    this.#commit = commit;
    if (hasSubmodules) this.#notes.push({ id: 'submodules' });
    const site = await this.#siteIn(clone);
    // A deploy command may build the site first.
    if (site === null && target.kind === 'serve') throw new DrillError('no-site');
    if (site !== null) this.#site = siteName(path.relative(clone, site).replaceAll(path.sep, '/') || '.', source);
    this.#begin(target.kind);
    if (target.kind === 'serve') await this.#serve(site ?? clone, target.rules);
    else await this.#deploy(clone, site, target);
  }

  /** The absolute path of the site in the clone; `null`: none was found. Rejects for a folder that does not exist. */
  async #siteIn(clone: string): Promise<string | null> {
    const { source, folder, findSite } = this.#options;
    const top = path.join(clone, source.prefix);
    const site = folder ?? ((await isFolder(top)) ? await findSite(top) : null);
    if (site === null) return null;
    const found = path.resolve(top, site);
    if (folder !== null && !(await isBelow(clone, found))) throw new DrillError('no-folder');
    return found;
  }

  async #serve(folder: string, rules: HostRules): Promise<void> {
    const server = await startStaticServer(folder, rules, 0).catch((error: NodeJS.ErrnoException) => {
      throw new DrillError('cannot-serve', error.code ?? error.message);
    });
    try {
      await this.#check(server.url, {});
    } finally {
      await server.close();
    }
  }

  async #deploy(clone: string, site: string | null, target: Extract<Target, { kind: 'deploy' }>): Promise<void> {
    const { env, onOutput } = this.#options;
    const { status, signal, error, output } = await runCommand({
      run: { shell: target.command },
      cwd: clone,
      env: { ...gitEnvironment(env), DOCVITALS_FOLDER: site ?? clone },
      signal: this.#signal(),
      ...(onOutput === undefined ? {} : { onOutput }),
    });
    this.#demandTime(output);
    if (status !== 0) throw new DrillError('deploy-failed', error ?? signal ?? `exit status ${status}`, output);
    const compared = target.compare ? site : null;
    if (compared === null) this.#notes.push({ id: 'not-compared' });
    const flags = { wait: this.#leftMs, stable: 1, ...(compared === null ? {} : { source: compared }) };
    await this.#check(target.url, flags);
  }

  /** Checks the recovered site as `docvitals check` would. Rejects with a `UsageError`. */
  async #check(url: string, flags: Pick<CheckFlags, 'wait' | 'stable' | 'source'>): Promise<void> {
    const { full, interrupt, onRun } = this.#options;
    this.#begin('first-answer');
    let hasAnswered = false;
    const onAnswer = (answer: Answer): void => {
      if (hasAnswered || answer.kind !== 'reply' || answer.status >= 400) return;
      hasAnswered = true;
      this.#begin('healthy');
    };
    const plan = await this.#planFor(url, { full, ...flags });
    const wait = plan.wait && { ...plan.wait, longestPauseMs: LONGEST_PAUSE_MS };
    this.#report = await checked({ ...plan, wait, interrupt, onAnswer }, { onRun });
    this.#stoppedMs = this.#elapsedMs;
    const { verdict, interrupted } = this.#report;
    if (interrupted || verdict === 'healthy') return;
    if (verdict === 'unknown') throw new DrillError('not-told');
    throw new DrillError(hasAnswered ? 'not-healthy' : 'no-answer');
  }

  async #hasBundle(url: string): Promise<boolean> {
    const { settings, interrupt } = this.#options;
    const plan = await this.#planFor(url, {});
    const checks = settings.checks.filter(({ role }) => role === 'bundle');
    const limits = { ...plan.limits, ...BUNDLE_LIMITS };
    const report = await checked({ ...plan, checks, limits, interrupt, wait: null }, {});
    return report.checks.some(({ httpStatus }) => httpStatus === 200);
  }

  async #planFor(url: string, flags: Partial<CheckFlags>): Promise<RunPlan> {
    const { settings, target, env } = this.#options;
    const { checks, config } = settings;
    // A drill itself gives these what to compare with.
    const compared = checks.filter(({ role }) => role === 'source' || role === 'version');
    const only = config.only.filter((id) => !compared.some((check) => check.id === id));
    const planned = { ...settings, config: { ...config, only, source: null } };
    const plan = await runOptions(url, { format: 'json', color: false, ...flags }, planned, { env });
    if (target.kind === 'deploy') return plan;
    // The server is this process: no proxy leads to it, and it must not receive secrets.
    const requested = { ...plan.requested, host: target.rules.kind };
    return { ...plan, requested, environment: {}, headers: {}, resolve: [], family: 0 };
  }

  #begin(id: StepId): void {
    this.#steps.push({ id, atMs: this.#elapsedMs });
    this.#options.onStep(id);
  }

  get #elapsedMs(): number {
    return Math.round(performance.now() - this.#startMs);
  }

  get #leftMs(): number {
    return Math.max(0, this.#options.deadlineMs - this.#elapsedMs);
  }

  /** Aborts at the deadline, or when the drill is stopped. */
  #signal(): AbortSignal {
    return AbortSignal.any([this.#options.interrupt, AbortSignal.timeout(Math.max(1, this.#leftMs))]);
  }

  #demandTime(output: readonly string[] = []): void {
    if (this.#options.interrupt.aborted || this.#leftMs === 0) throw new DrillError('time-up', null, output);
  }
}

/** An empty temporary folder, which is removed at the end, or at the latest with this process, unless it is kept. */
async function makeWorkspace(keep: boolean): Promise<{ readonly folder: string; end(): void }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'docvitals-drill-')).catch((error: NodeJS.ErrnoException) => {
    throw new DrillError('no-room', error.code ?? error.message);
  });
  if (keep) return { folder, end: () => {} };
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', remove);
  const end = (): void => {
    process.off('exit', remove);
    remove();
  };
  return { folder, end };
}

export interface Failure {
  readonly step: StepId;
  readonly reason: keyof DrillWords['failures'];
  /** The message of the system, Git or the shell; untrusted. */
  readonly detail: string | null;
  readonly output: readonly string[];
}

/** Ends the drill in its current step. */
class DrillError extends Error {
  readonly failure: Omit<Failure, 'step'>;

  constructor(reason: Failure['reason'], detail: string | null = null, output: readonly string[] = []) {
    super(reason);
    this.failure = { reason, detail, output };
  }
}

/* The files: what `--source` names, and a clone or a copy of it. */

export interface DrillSource {
  readonly kind: 'repository' | 'folder';
  readonly name: string;
  /** A URL, or an absolute path. May contain userinfo. */
  readonly address: string;
  /** The path below the repository's root that was named, with forward slashes. */
  readonly prefix: string;
  readonly uncommitted: number;
}

/** What was named is the root, and nothing in it differs from a last commit. */
const WHOLE = { prefix: '', uncommitted: 0 };

/** `https://…`, `ssh://…`, `git://…`, `file://…`, or `host:path` of ssh; not `ext::…`, which runs a program. */
const ADDRESS = /^(?:(?:https?|ssh|git|file):\/\/[^\s]+|[^\s/:-][^\s/:]*:(?!:)[^\s]+)$/i;

/**
 * Finds what `--source` names: a folder of a work tree, a bare repository, a plain folder, or the address of a
 * repository. `null`: none of these. Rejects with a `SourceError` if Git refuses to read a work tree.
 */
export async function findSource(given: string, cwd: string): Promise<DrillSource | null> {
  const local = path.resolve(cwd, given);
  if (!given.includes('\0') && (await isFolder(local))) return localSource(given, await realpath(local));
  if (!ADDRESS.test(given)) return null;
  return { kind: 'repository', name: withoutUserinfo(given), address: given, ...WHOLE };
}

const isFolder = async (name: string): Promise<boolean> => (await stat(name).catch(() => null))?.isDirectory() === true;

async function localSource(name: string, folder: string): Promise<DrillSource> {
  if (await isBare(folder)) return { kind: 'repository', name, address: folder, ...WHOLE };
  const root = await workTreeOf(folder);
  if (root === null) return { kind: 'folder', name, address: folder, ...WHOLE };
  const prefix = path.relative(root, folder).replaceAll(path.sep, '/');
  return { kind: 'repository', name, address: root, prefix, uncommitted: await uncommittedIn(folder) };
}

async function isBare(folder: string): Promise<boolean> {
  const [head, ...folders] = await Promise.all(
    ['HEAD', 'objects', 'refs'].map((name) => lstat(path.join(folder, name)).catch(() => null)),
  );
  return head?.isFile() === true && folders.every((entry) => entry?.isDirectory() === true);
}

async function workTreeOf(folder: string): Promise<string | null> {
  const ancestors = folder
    .split(path.sep)
    .map((_, index, names) => names.slice(0, index + 1).join(path.sep) || path.sep);
  // `.git` is a file in worktrees and submodules.
  const marks = await Promise.all(ancestors.map((name) => lstat(path.join(name, '.git')).catch(() => null)));
  if (marks.every((mark) => mark === null)) return null;
  const { status, stdout, stderr } = await git([...IN_WORK_TREE, 'rev-parse', '--show-toplevel'], folder);
  if (status !== 0) throw new SourceError(stderr.trim().split('\n')[0] ?? '');
  return path.normalize(stdout.toString('utf8').replace(/\n$/, ''));
}

async function uncommittedIn(folder: string): Promise<number> {
  const changes = ['status', '--porcelain', '-z', '--no-renames', '--', '.'];
  const { status, text } = await git([...IN_WORK_TREE, ...changes], folder);
  return status === 0 ? text().split('\0').filter(Boolean).length : 0;
}

export function siteName(folder: string, { address, name }: DrillSource): string {
  if (folder !== '.') return folder;
  // A URL may contain userinfo.
  const printed = path.isAbsolute(address) ? address : name;
  return /([^/\\:]+?)(?:\.git)?[/\\]*$/.exec(printed)?.[1] ?? folder;
}

interface ObtainOptions {
  readonly target: string;
  readonly branch: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** Clones a repository, or copies a folder. Rejects with a `DrillError`. */
async function obtain({ kind, address }: DrillSource, options: ObtainOptions) {
  return kind === 'folder' ? copyFrom(address, options) : cloneFrom(address, options);
}

async function cloneFrom(address: string, options: ObtainOptions) {
  const { target } = options;
  const shallow = await runClone(address, options, ['--depth', '1']);
  // A server of plain files only sends whole repositories.
  const needsWhole = shallow.output.some((line) => line.includes('does not support shallow'));
  const result = needsWhole ? await runClone(address, options, []) : shallow;
  if (result.status !== 0) throw cloneError(result);
  const head = ['--git-dir', path.join(target, '.git'), 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}'];
  const { text: commit, status } = await git(head, target);
  const hasSubmodules = (await lstat(path.join(target, '.gitmodules')).catch(() => null)) !== null;
  return { commit: status === 0 ? commit() : null, hasSubmodules };
}

/** Starts no hook: neither the repository's nor those of the user's template. */
function runClone(address: string, { target, branch, env, signal }: ObtainOptions, depth: readonly string[]) {
  const only = ['--single-branch', '--no-tags', '--no-local', '--no-recurse-submodules', '--template=', '--quiet'];
  const chosen = branch === null ? [] : ['--branch', branch];
  return runCommand({
    run: { file: 'git', args: ['--no-pager', ...INERT, 'clone', ...depth, ...only, ...chosen, '--', address, target] },
    cwd: path.dirname(target),
    // Fail instead of asking for a password; credential helpers still work.
    env: { ...gitEnvironment(env), GIT_TERMINAL_PROMPT: '0', SSH_ASKPASS_REQUIRE: 'never', LC_ALL: 'C' },
    signal,
  });
}

function cloneError({ error, output }: CommandResult): DrillError {
  if (error !== null) return new DrillError('no-git', error);
  // Git prints the URL that it was given.
  const lines = output.map((line) => line.replaceAll(/\/\/[^/\s]*@/g, '//'));
  // Hints follow the error on lines of their own.
  const detail = lines.findLast((line) => /^(?:fatal|error):/.test(line)) ?? lines.at(-1) ?? null;
  const isFull = output.some((line) => /No space left on device|Disk quota exceeded/i.test(line));
  return new DrillError(isFull ? 'no-room' : 'clone-failed', detail, lines);
}

async function copyFrom(folder: string, { target, signal }: ObtainOptions) {
  try {
    await cp(folder, target, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      filter: async (from) => {
        signal.throwIfAborted();
        const entry = await lstat(from);
        // Pipes and sockets are not files of a site.
        return entry.isFile() || entry.isDirectory() || entry.isSymbolicLink();
      },
    });
    return { commit: null, hasSubmodules: false };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOSPC' || code === 'EDQUOT' ? 'no-room' : 'copy-failed';
    throw new DrillError(reason, code ?? message);
  }
}

async function isBelow(root: string, folder: string): Promise<boolean> {
  if (!(await isFolder(folder))) return false;
  const relative = path.relative(await realpath(root), await realpath(folder));
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
