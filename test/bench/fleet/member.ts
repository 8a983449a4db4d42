/**
 * A coordinator, a runner or an embedded monitor in a process of its own, with as many sites as are wanted and a canned
 * report instead of checks: what docvitals itself and its database take. `node member.ts '{"role":"runner",…}'`; ends with
 * SIGTERM.
 */
import type { Check, CheckResult, Report } from '../../../src/core/check.ts';
import type { CheckSiteOptions } from '../../../src/core/check-site.ts';
import { DEFAULT_CONFIG } from '../../../src/config/config.ts';
import { startMonitor } from '../../../src/monitor/engine/start.ts';
import { startCoordinator } from '../../../src/monitor/fleet/coordinator.ts';
import { startRunner } from '../../../src/monitor/fleet/runner.ts';
import type { Log } from '../../../src/monitor/log/write.ts';
import { DEFAULT_MONITOR, DEFAULT_WATCHING, type MonitorSettings } from '../../../src/monitor/settings.ts';
import { openPostgres } from '../../../src/monitor/store/postgres/store.ts';

export interface MemberOptions {
  readonly role: 'coordinator' | 'runner' | 'monitor';
  readonly address: string;
  readonly sites: number;
  readonly everySeconds: number;
  readonly locations: readonly string[];
  /** Of a runner. */
  readonly location?: string;
}

/** A response that took 40 ms. */
const passed = ({ id, role, vital, target }: Check, url: string): CheckResult => ({
  id,
  ...(role === undefined ? {} : { role }),
  ...(vital === undefined ? {} : { vital: vital === true }),
  status: 'pass',
  target: `GET ${target}`,
  url: `${url}${target}`,
  httpStatus: 200,
  durationMs: 42,
  attempts: 1,
  timings: { dnsMs: 2, connectMs: 8, tlsMs: 12, firstByteMs: 18, totalMs: 40 },
  findings: [],
});

async function canned({ site: { base }, checks }: CheckSiteOptions): Promise<Report> {
  return {
    tool: { name: 'docvitals', version: '0.0.0' },
    site: { url: base.href },
    startedAt: new Date().toISOString(),
    durationMs: 60,
    receivedBytes: 20_000,
    verdict: 'healthy',
    strict: false,
    interrupted: false,
    fresh: null,
    checks: checks.map((check) => passed(check, base.href)),
  };
}

const settingsOf = ({ sites, everySeconds, locations }: MemberOptions): MonitorSettings => ({
  ...DEFAULT_MONITOR,
  connectivity: [],
  locations: locations.map((id) => ({ id, title: id, coordinates: null })),
  sites: Array.from({ length: sites }, (_, index) => ({
    ...DEFAULT_WATCHING,
    id: `site-${index}`,
    url: `http://127.0.0.1:9/site-${index}/`,
    title: `Site ${index}`,
    tags: [],
    alerts: null,
    maintenance: [],
    full: null,
    schedule: { kind: 'every', everyMs: everySeconds * 1_000, jitterMs: 0 },
    checking: DEFAULT_CONFIG,
  })),
});

const options = JSON.parse(process.argv[2] ?? '') as MemberOptions;
const { role, address, location = '' } = options;
const settings = settingsOf(options);
const env = {};
const log: Log = (level, event, fields = {}) => {
  if (level !== 'debug') process.stdout.write(`${JSON.stringify({ event, ...fields })}\n`);
};

async function start(): Promise<() => Promise<unknown>> {
  if (role === 'runner') {
    const runner = await startRunner({ address, location, settings, log, env, check: canned });
    return () => runner.stop();
  }
  if (role === 'coordinator') {
    const onActing = async () => async () => {};
    const coordinator = await startCoordinator({ address, settings: () => settings, log, env, onActing });
    return () => coordinator.stop();
  }
  const store = await openPostgres(address, { mode: 'own' });
  const monitor = await startMonitor({ settings, store, log, env, check: canned });
  return async () => {
    await monitor.stop();
    await store.close();
  };
}

const stop = await start();
process.stdout.write('{"event":"ready"}\n');
process.once('SIGTERM', () => void stop().then(() => process.exit(0)));
