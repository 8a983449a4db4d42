/** `/probe?target=&module=&lang=`: looks at a site while Prometheus waits. */
import { checkSite, type CheckSiteOptions } from '../../../check-site.ts';
import type { Answer } from '../../../check.ts';
import { DEFAULT_CONFIG } from '../../../config/config.ts';
import { DEFAULT_LIMITS } from '../../../limits.ts';
import { checkingRun, siteRun } from '../../../project/sites.ts';
import { textsFor } from '../../../project/settings.ts';
import type { Language } from '../../../texts.ts';
import type { Checking, MonitorSettings } from '../../settings.ts';
import type { MonitorView } from '../../view.ts';
import { exposition, type Answered, type Asked } from '../answer.ts';
import { demandedLanguage } from '../language.ts';
import { RequestProblem } from '../problem.ts';
import { targetOf, type Target } from './target.ts';
import { probeDeadlineMs } from './timeout.ts';

export type Probe = (asked: Asked) => Promise<Answered>;

/** What probes are made of. */
export interface ProbeOptions {
  readonly view: Pick<MonitorView, 'settings' | 'resolver'>;
  /** Proxies. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly check?: typeof checkSite;
}

/** Probes that go on at once; of them those of a whole site, each of which may send thousands of requests. */
const MOST_PROBES = 32;
const MOST_OF_WHOLE_SITES = 4;

/** What a probe that was refused is to wait for. */
const RETRY_AFTER_SECONDS = '5';

/** Of an answer only its facts are needed: bodies of a whole site are not kept. */
const MOST_ANSWERS = 32;

/** Answers probes. What cannot be probed is thrown as a `RequestProblem`. */
export function createProbe(options: ProbeOptions): Probe {
  const running = new Set<Wanted>();
  return async (asked) => {
    const wanted = requestedBy(asked, options);
    const whole = [...running].filter(({ full }) => full).length;
    if (running.size >= MOST_PROBES || (wanted.full && whole >= MOST_OF_WHOLE_SITES)) {
      throw new RequestProblem('too-many-probes', null, { 'retry-after': RETRY_AFTER_SECONDS });
    }
    running.add(wanted);
    try {
      return exposition(await probed(wanted, options));
    } finally {
      running.delete(wanted);
    }
  };
}

/** A probe that may go on. */
interface Wanted {
  /** Of the whole site. */
  readonly full: boolean;
  readonly run: CheckSiteOptions;
  readonly language: Language;
  /** Checks of the user's own have texts of their own. */
  readonly own: Pick<Checking, 'checks'>;
}

function requestedBy(asked: Asked, { view, env }: ProbeOptions): Wanted {
  const settings = view.settings();
  const language = demandedLanguage(asked) ?? settings.page.language;
  const module = moduleOf(asked.search.get('module') ?? '', settings);
  const target = targetOf(asked.search.get('target')?.trim() ?? '', settings);
  const { checking, run } = runOf(target, module, env);
  const limits = { ...DEFAULT_LIMITS, deadlineMs: Infinity, retries: 0, ...run.limits };
  const deadlineMs = probeDeadlineMs(asked.header('x-prometheus-scrape-timeout-seconds'), limits.deadlineMs);
  return {
    full: module.full,
    run: {
      ...run,
      limits: { ...limits, deadlineMs, timeoutMs: Math.min(limits.timeoutMs, deadlineMs) },
      // Whoever waits longer than Prometheus does waits for nothing.
      patienceMs: 0,
      admit: target.admit,
      interrupt: asked.signal,
    },
    language,
    own: checking,
  };
}

async function probed(
  { run, language, own }: Wanted,
  { check = checkSite, view: { resolver } }: ProbeOptions,
): Promise<string> {
  const answers: Answer[] = [];
  const began = performance.now();
  const report = await check({
    ...run,
    ...(resolver === undefined ? {} : { resolver }),
    onAnswer: (answer) => {
      if (answers.length < MOST_ANSWERS) answers.push(answer);
    },
  });
  const durationMs = performance.now() - began;
  const [{ probeMetrics }, texts] = await Promise.all([
    import('./probe-metrics.ts'),
    textsFor({ config: own, language }),
  ]);
  return probeMetrics({ report, answers, durationMs, texts });
}

/** A module as it is asked for; `checking`: `null` for those that are there always. */
interface Module {
  readonly full: boolean;
  readonly checking: Checking | null;
}

/** The modules that are there always. */
const BUILT_IN: ReadonlyMap<string, Module> = new Map([
  ['core', { full: false, checking: null }],
  // The former name of `core`.
  ['five', { full: false, checking: null }],
  ['full', { full: true, checking: null }],
]);

function moduleOf(name: string, { probe }: Pick<MonitorSettings, 'probe'>): Module {
  const module = BUILT_IN.get(name === '' ? 'core' : name) ?? probe.modules.get(name);
  if (module === undefined) throw new RequestProblem('unknown-module', 'module');
  return module;
}

/** A site of the monitor is checked as the monitor does, unless the module says how. */
function runOf(
  { address, site }: Target,
  { full, checking }: Module,
  env: ProbeOptions['env'],
): { readonly run: CheckSiteOptions; readonly checking: Checking } {
  const scope = full ? 'full' : 'five';
  if (checking === null && site !== null) return { run: siteRun(site, scope, env), checking: site.checking };
  const how = checking ?? DEFAULT_CONFIG;
  return { run: checkingRun(address, how, { scope, env }), checking: how };
}
