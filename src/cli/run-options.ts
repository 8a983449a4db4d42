import { parseBaseUrl, type BaseUrl } from '../base-url.ts';
import type { HostKind } from '../check.ts';
import type { CheckSiteOptions } from '../check-site.ts';
import type { Config } from '../config/config.ts';
import type { ResolveEntry } from '../config/resolve.ts';
import type { Limits } from '../limits.ts';
import { printable } from '../printable.ts';
import type { FormatName } from '../report/formats.ts';
import type { Source } from '../source/types.ts';
import type { ReportTarget } from './arguments.ts';
import { selectChecks } from './select.ts';
import type { ProjectFlags, ProjectSettings } from './settings.ts';
import { UsageError } from './usage-error.ts';

/** The options of `docvitals check`, read. Times are in milliseconds; what is absent is left to the configuration. */
export interface CheckFlags extends ProjectFlags {
  readonly full?: true;
  readonly external?: true;
  readonly host?: HostKind;
  readonly source?: string;
  readonly rate?: number;
  readonly maxPages?: number;
  readonly maxDepth?: number;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly format: FormatName;
  readonly report?: readonly ReportTarget[];
  readonly timeout?: number;
  readonly deadline?: number;
  readonly retries?: number;
  readonly header?: Readonly<Record<string, string>>;
  readonly resolve?: readonly ResolveEntry[];
  readonly ipv4?: true;
  readonly ipv6?: true;
  readonly strict?: true;
  readonly verbose?: true;
  readonly quiet?: true;
  readonly color: boolean;
}

/** What a run is to do, as the command line and the configuration say. Rejects with a `UsageError`. */
export async function runOptions(
  url: string | undefined,
  flags: CheckFlags,
  { config, checks }: ProjectSettings,
  env: NodeJS.ProcessEnv,
): Promise<CheckSiteOptions> {
  const full = flags.full ?? config.full;
  const source = flags.source ?? config.source;
  // Asked for by its id, the check has to have something to compare with.
  if (source === null && flags.only?.includes('source') === true)
    throw new UsageError((messages) => messages.noSource());
  const selection = { full, source: source !== null, only: flags.only ?? config.only, skip: flags.skip ?? config.skip };
  return {
    site: siteOf(url, config),
    checks: selectChecks(checks, selection),
    wants: {
      full,
      external: flags.external ?? config.external,
      host: flags.host ?? config.host,
      source: source === null ? null : await sourceOf(source),
    },
    limits: { ...config.limits, ...limitsOf(flags) },
    headers: { ...config.headers, ...flags.header },
    resolve: [...(flags.resolve ?? []), ...config.resolve],
    family: familyOf(flags),
    rules: config.rules,
    strict: flags.strict ?? config.strict,
    environment: env,
  };
}

function siteOf(url: string | undefined, config: Config): Extract<BaseUrl, { ok: true }> {
  const given = url ?? config.url;
  // An empty argument is a variable of a script that was not set.
  if (given === null || given.trim() === '') throw new UsageError((messages) => messages.noUrl());
  const site = parseBaseUrl(given);
  if (site.ok) return site;
  // A URL of the configuration may hold what an environment variable held: it is named, not shown.
  const fromConfig = url === undefined;
  const problem = fromConfig && site.problem === 'no-scheme' ? 'invalid' : site.problem;
  throw new UsageError((messages) => messages.baseUrl(problem, fromConfig ? 'url' : printable(site.given)));
}

function limitsOf(flags: CheckFlags): Partial<Limits> {
  const limits = {
    timeoutMs: flags.timeout,
    deadlineMs: flags.deadline,
    retries: flags.retries,
    rate: flags.rate,
    pages: flags.maxPages,
    depth: flags.maxDepth,
  };
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}

/** Opens what `--source` names, so that a mistake in it is told before anything is sent. */
async function sourceOf(name: string): Promise<Source> {
  const [{ openSource }, { SourceError }] = await Promise.all([
    import('../source/open.ts'),
    import('../source/source-error.ts'),
  ]);
  try {
    return await openSource(name, process.cwd());
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new UsageError((messages) => messages.badSource(printable(name), error.message));
  }
}

function familyOf({ ipv4, ipv6 }: CheckFlags): 0 | 4 | 6 {
  if (ipv4) return 4;
  return ipv6 ? 6 : 0;
}
