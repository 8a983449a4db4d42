import type { BaseUrl } from './base-url.ts';
import type { Check, CheckResult, Report } from './check.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import type { ResolveRule } from './http/connect.ts';
import { authorization, decodedPart } from './http/authorization.ts';
import { Ended } from './http/ended.ts';
import { createGet } from './http/get.ts';
import { proxyFor } from './http/proxy.ts';
import { runChecks, type RuleGrade } from './run.ts';
import { VERSION } from './version.ts';

/** How a site is checked. Everything but the site and the checks has a default. */
export interface CheckSiteOptions {
  readonly site: Extract<BaseUrl, { ok: true }>;
  readonly checks: readonly Check[];
  readonly limits?: Partial<Limits>;
  /** Sent to the site's own origin only, and never told in a report. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Addresses to ask instead of those that names resolve to. */
  readonly resolve?: readonly ResolveRule[];
  /** 4 or 6: only addresses of that family; 0 (the default): either. */
  readonly family?: 0 | 4 | 6;
  /** Grades of the user's own, by `<check id>/<code>`. */
  readonly rules?: ReadonlyMap<string, RuleGrade>;
  /** Warnings degrade the verdict. */
  readonly strict?: boolean;
  /** Where `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` are read from; no proxy when absent. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Ends the run early; what is not known by then is told as unknown. */
  readonly interrupt?: AbortSignal;
  /** Called as each check ends. */
  readonly onResult?: (result: CheckResult) => void;
}

/** How long judging may go on after the deadline has ended all requests. */
const GRACE_MS = 1_000;

/**
 * Runs the checks against a site, all at once, and tells what they found. Whatever the site does is in the report;
 * throws a `RangeError` naming the variable before anything is sent when `environment` holds an unusable proxy,
 * and rejects only on a defect of docvitals.
 */
export function checkSite(options: CheckSiteOptions): Promise<Report> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const environment = options.environment ?? {};
  proxyFor(options.site.base, environment);
  const clock = (): number => performance.now();
  const interrupt = options.interrupt ?? new AbortController().signal;
  const lifetime = startLifetime(limits.deadlineMs, interrupt);
  const get = createGet({
    site: options.site.site,
    timeoutMs: limits.timeoutMs,
    retries: limits.retries,
    bodyCap: limits.bodyBytes,
    userAgent: `docvitals/${VERSION}`,
    headers: options.headers ?? {},
    rules: options.resolve ?? [],
    family: options.family ?? 0,
    proxyFor: (url) => proxyFor(url, environment),
    signal: lifetime.requests,
    endsAt: clock() + limits.deadlineMs,
    clock,
  });
  const report = runChecks({
    checks: options.checks,
    base: options.site.base,
    get,
    tool: { name: 'docvitals', version: VERSION },
    secrets: secretsOf(options),
    rules: options.rules ?? new Map(),
    strict: options.strict ?? false,
    parseMs: limits.parseMs,
    interrupt,
    ended: lifetime.judging,
    clock,
    startedAt: new Date(),
    ...(options.onResult === undefined ? {} : { onResult: options.onResult }),
  });
  return report.finally(lifetime.end);
}

interface Lifetime {
  /** Aborted with an `Ended` when no request may go on. */
  readonly requests: AbortSignal;
  /** Aborted when nothing may be judged any more. */
  readonly judging: AbortSignal;
  /** Ends both: what nobody waits for any more must not keep the process alive. */
  readonly end: () => void;
}

function startLifetime(deadlineMs: number, interrupt: AbortSignal): Lifetime {
  const requests = new AbortController();
  const judging = new AbortController();
  const timers = [
    setTimeout(() => requests.abort(new Ended('deadline', deadlineMs)), deadlineMs),
    // What came just before the deadline is still judged.
    setTimeout(() => judging.abort(), deadlineMs + GRACE_MS),
  ];
  const end = (): void => {
    for (const timer of timers) clearTimeout(timer);
    interrupt.removeEventListener('abort', end);
    requests.abort(new Ended('interrupt'));
    judging.abort();
  };
  interrupt.addEventListener('abort', end);
  if (interrupt.aborted) end();
  return { requests: requests.signal, judging: judging.signal, end };
}

/** Headers whose values are no secrets, and are such plain words that hiding them would hide the evidence. */
const OPEN_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'host',
  'origin',
  'pragma',
  'referer',
  'user-agent',
]);

/** Header values and credentials, in the forms in which a server may send them back. */
function secretsOf({ headers = {}, site }: CheckSiteOptions): readonly string[] {
  // A token may stand as the user name, too.
  const { username, password } = site.site;
  const values = Object.entries(headers).flatMap(([name, value]) =>
    OPEN_HEADERS.has(name.toLowerCase()) ? [] : [value],
  );
  const sent = [...values, authorization(site.site) ?? ''];
  const tokens = sent.map((value) => value.replace(/^(?:Basic|Bearer) /i, ''));
  const plain = [...sent, ...tokens, ...[username, password].flatMap((part) => [part, decodedPart(part)])];
  const longestFirst = [...new Set(plain.flatMap((secret) => [secret, encodeURIComponent(secret)]))];
  return longestFirst.toSorted((a, b) => b.length - a.length);
}
