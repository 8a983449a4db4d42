/**
 * Every printed fix is complete: a site with faults on a real nginx reports exactly their rules; after what the report
 * says is done, `check --full --strict` reports nothing at all.
 */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checks } from '../../checks/index.ts';
import { REASONS } from '../../src/http/reasons.ts';
import type { FindingDocument, ReportDocument } from '../../src/report/document.ts';
import { runCli } from '../cli/run.ts';
import { differences, saveExamples } from '../evidence-examples.ts';
import { nginxWanted, runNginx, workersUser } from '../hosts/nginx.ts';
import { freePorts } from '../hosts/port.ts';
import { CACHING } from './caching.ts';
import { COMPRESSION } from './compression.ts';
import { EDGES } from './edges.ts';
import { ALONE, CONFIG, LINKS, LLMS, LOADED, PAGES, SETTINGS, translated, TRANSLATIONS } from './files.ts';
import { ANSWERS, TYPES } from './hosting.ts';
import { CACHED, NEGOTIATION, negotiating, ROOT } from './negotiation.ts';
import { HISTORY, historySite, NOT_FOUND, UNKNOWN_HOST, WRONG_BASE } from './not-found.ts';
import { PUBLIC } from './public.ts';
import { ROBOTS } from './robots.ts';
import { SECURE_SERVERS } from './public-servers.ts';
import { onServersHere, SERVERS } from './servers.ts';
import { deployed, SOURCE, VERSION } from './source.ts';
import { healthy, Printed, serverBlock, writeFiles, type Group, type Host, type Row, type Setup } from './setup.ts';

/** One rule of each check a group: what fixes one cannot hide what another one lacks. */
function mixed(...tables: readonly (readonly Row[])[]): readonly Group[] {
  const most = Math.max(...tables.map(({ length }) => length));
  return Array.from({ length: most }, (_, at) => {
    const rows = tables.flatMap((table) => table[at] ?? []);
    return { name: rows.map(({ rule }) => rule).join(', '), rows };
  });
}

const together = (groups: readonly (readonly Row[])[], rest: Partial<Group> = {}): readonly Group[] =>
  groups.map((rows) => ({ name: rows.map(({ rule }) => rule).join(', '), rows, ...rest }));

const ON_SERVERS: readonly Group[] = [...SERVERS, ...SECURE_SERVERS];

/** Several faults break one rule: a name is that of one group, and of the example that it gives. */
function numbered(groups: readonly Group[]): readonly Group[] {
  return groups.map((group, at) => {
    const before = groups.slice(0, at).filter(({ name }) => name === group.name).length;
    return before === 0 ? group : { ...group, name: `${group.name} (${before + 1})` };
  });
}

const GROUPS: readonly Group[] = numbered([
  ...mixed(CACHING, COMPRESSION, NOT_FOUND, ROBOTS, CONFIG, LLMS),
  ...mixed(PAGES, LOADED),
  ...together([LINKS, SETTINGS, [ROOT], ...ALONE.map((row) => [row]), [WRONG_BASE]]),
  UNKNOWN_HOST,
  ...together(
    HISTORY.map((row) => [row]),
    { base: historySite },
  ),
  ...together(TRANSLATIONS, { base: translated }),
  ...together(TYPES),
  ...together(ANSWERS),
  ...together(
    [...NEGOTIATION, CACHED].map((row) => [row]),
    { host: 'worker', base: negotiating },
  ),
  ...EDGES,
  ...together(SOURCE, { base: deployed }),
  ...together(VERSION),
  ...PUBLIC,
  ...onServersHere(ON_SERVERS),
]);

/** Errors and warnings whose fix cannot be applied here, and why. `*`: of every check that reports it. */
const NOT_APPLIED: Readonly<Record<string, readonly string[]>> = {
  'needs a server that goes away in the middle of a run': ['links/site-stopped-responding'],
  'needs VertiWiki; checks/translations/check.test.ts has it': ['translations/navigation-shared'],
  'needs another engine than this site has; test/faults provokes it': [
    'config/script-syntax',
    'bundle/engine-not-loaded',
    'bundle/script-empty',
    'home/cover-missing',
  ],
  'needs a platform that finds no `index.html` by the name of its folder': ['negotiation/base-without-slash'],
  'needs a site whose pages are on another host; test/engines/other-origin.test.ts has it': [
    'home/cors',
    'navigation/cors',
  ],
  'needs a site whose only script is on another host; test/unit/assets has it': [
    'bundle/script-cors',
    'bundle/local-address',
  ],
  'needs a site that is not on this machine; checks/llms-txt/follow.test.ts has it': ['llms-txt/local-links'],
  'needs a browser; test/rendered provokes each of them': ['rendered/*'],
  'gives more time or room to the next run': ['*/parse-limit', 'links/deadline-exceeded'],
};

/** Instructions for Apache and Caddy that change no directive which is tried here, and why. */
const NOT_ON_SERVERS: Readonly<Record<string, readonly string[]>> = {
  'says where to look, or to start or renew something': [
    'refused',
    'tls-expired',
    'tls-hostname',
    'tls-untrusted',
    'truncated',
    'not-found',
    'forbidden',
    'server-error',
    'expires-soon',
  ],
  'needs two hosts; test/engines/other-origin.test.ts has them': ['cors'],
  'names no value': ['header'],
  'switches off the default site of a distribution, which is not installed here': ['host-page'],
};

interface Checked {
  readonly origin: string;
  readonly status: number | null;
  readonly findings: ReadonlyMap<string, FindingDocument>;
}

async function check(
  { port, env = {} }: Pick<Host, 'port' | 'env'>,
  { host, args = [] }: Group,
  setup: Setup,
): Promise<Checked> {
  const kind = host === undefined ? [] : ['--host', host];
  const given = [
    'check',
    new URL(setup.target.url ?? '', `http://127.0.0.1:${port}/`).href,
    ...kind,
    ...args,
    ...setup.args,
    '--full',
    '--strict',
    '--format',
    'json',
  ];
  const { status, stdout, stderr } = await runCli(given, { env });
  if (stdout === '') throw new Error(stderr);
  const report = JSON.parse(stdout) as ReportDocument;
  return {
    status,
    origin: new URL(report.site.url).origin,
    findings: new Map(report.checks.flatMap(({ findings }) => findings.map((one) => [one.rule, one] as const))),
  };
}

const stops: (() => void)[] = [];
afterAll(() => {
  for (const stop of stops) stop();
  saveExamples();
});

/** Serves all of them by one nginx; gives a port for each. */
async function serve(
  setups: readonly Setup[],
): Promise<{ readonly ports: readonly number[]; readonly stop: () => Promise<void> }> {
  if (setups.length === 0) return { ports: [], stop: () => Promise.resolve() };
  const prefix = mkdtempSync(join(tmpdir(), 'docvitals-fixes-'));
  chmodSync(prefix, 0o755);
  mkdirSync(join(prefix, 'temp'));
  const ports = await freePorts(setups.length);
  const blocks = setups.map((setup, id) => {
    const folder = join(prefix, String(id));
    writeFiles(folder, setup);
    return serverBlock(setup, folder, ports[id] ?? 0, id);
  });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${prefix}/temp/${kind};`,
  );
  const text = `${workersUser()}
daemon off;
worker_processes 1;
pid ${prefix}/nginx.pid;
error_log stderr crit;
events { worker_connections 1024; }
http {
  default_type application/octet-stream;
  access_log off;
  ${temporary.join('\n  ')}
  ${blocks.join('\n')}
}
`;
  return { ports, stop: await runNginx(prefix, text, ports[0] ?? 0) };
}

async function checkAll(setups: readonly Setup[]): Promise<Checked[]> {
  const { ports, stop } = await serve(setups.filter((_, at) => GROUPS[at]?.start === undefined));
  const nginx = ports.values();
  const hosts = GROUPS.map((group) => ({ group, port: group.start === undefined ? (nginx.next().value ?? 0) : null }));
  const checkOne = async ({ group, port }: (typeof hosts)[number], at: number): Promise<Checked> => {
    const setup = setups[at] ?? healthy();
    if (port !== null) return check({ port }, group, setup);
    const host = await group.start?.(setup);
    try {
      return await check(host ?? { port: 0 }, group, setup);
    } finally {
      await host?.stop();
    }
  };
  try {
    return await inPairs(hosts, checkOne);
  } finally {
    await stop();
  }
}

/** Runs two at a time. */
async function inPairs<T, R>(values: readonly T[], run: (value: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const entries = values.entries();
  const work = async (): Promise<void> => {
    for (const [index, value] of entries) results[index] = await run(value, index);
  };
  await Promise.all([work(), work()]);
  return results;
}

/** The texts of rules that all checks share: applied for one check, they are for all. */
const ownRules = (id: string): ReadonlySet<string> =>
  new Set([...readFileSync(`checks/${id}/en.md`, 'utf8').matchAll(/^## (.+)$/gm)].map(([, rule = '']) => rule));

it('is applied for each error and warning, or there is a reason why not', () => {
  const applied = new Set([...GROUPS, ...ON_SERVERS].flatMap(({ rows }) => rows.map(({ rule }) => rule)));
  const reasons = Object.values(NOT_APPLIED).flat();
  const all = checks.flatMap(({ id, rules }) => {
    const own = ownRules(id);
    return Object.entries(rules)
      .filter(([rule, grade]) => (grade === 'error' || grade === 'warning') && !Object.hasOwn(REASONS, rule))
      .map(([rule]) => ({
        id,
        rule,
        names: own.has(rule) ? [`${id}/${rule}`] : checks.map((one) => `${one.id}/${rule}`),
      }));
  });
  const excused = ({ id, rule }: (typeof all)[number]): readonly string[] =>
    reasons.filter((reason) => [`${id}/${rule}`, `*/${rule}`, `${id}/*`].includes(reason));
  const left = all.filter((one) => excused(one).length === 0 && !one.names.some((name) => applied.has(name)));
  expect(left.map(({ id, rule }) => `${id}/${rule}`)).toEqual([]);
  expect(reasons.filter((reason) => !all.some((one) => excused(one).includes(reason)))).toEqual([]);
});

it.each(['Apache', 'Caddy'])(
  'is applied on %s for each rule that has instructions for it, or there is a reason',
  (server) => {
    const names = ON_SERVERS.filter(({ name }) => name.endsWith(` on ${server}`)).flatMap(({ rows }) => rows);
    const applied = new Set(names.map(({ rule }) => rule.split('/')[1] ?? ''));
    const sections = ['common', ...checks.map(({ id }) => id)].flatMap((id) =>
      readFileSync(`checks/${id}/en.md`, 'utf8').split(/^## /m).slice(1),
    );
    const named = sections
      .filter((text) => text.includes(`- **${server}**`))
      .map((text) => text.split('\n', 1)[0] ?? '');
    const excused = new Set(Object.values(NOT_ON_SERVERS).flat());
    expect(named.filter((rule) => !applied.has(rule) && !excused.has(rule))).toEqual([]);
  },
);

describe.runIf(nginxWanted())('each printed fix', () => {
  let before: Checked[] = [];
  let after: Checked[] = [];
  const problems: string[][] = GROUPS.map(() => []);

  beforeAll(async () => {
    const setups = await Promise.all(GROUPS.map(async ({ base = healthy }) => base()));
    for (const [at, { rows }] of GROUPS.entries()) {
      for (const { fault } of rows) fault(setups[at] ?? healthy());
    }
    before = await checkAll(setups);
    for (const [at, { rows }] of GROUPS.entries()) {
      for (const { rule, fix } of rows) {
        const finding = before[at]?.findings.get(rule);
        try {
          if (finding !== undefined) await fix(setups[at] ?? healthy(), new Printed(finding));
        } catch (error) {
          problems[at]?.push(`${rule}: ${String(error)}`);
        }
      }
    }
    after = await checkAll(setups);
    for (const { stops: ends } of setups) stops.push(...ends);
  }, 600_000);

  it.each(GROUPS.map((group, at) => ({ at, ...group })))('of $name', ({ at, name, rows, own = [], ownAfter = own }) => {
    const wanted = [...new Set([...rows.flatMap(({ rule, also = [] }) => [rule, ...also]), ...own])].toSorted();
    expect([...(before[at]?.findings.keys() ?? [])].toSorted()).toEqual(wanted);
    expect(problems[at]).toEqual([]);
    const changed = differences(`fixes: ${name}`, [...(before[at]?.findings.values() ?? [])], before[at]?.origin ?? '');
    expect(changed).toEqual([]);
    const left = [...(after[at]?.findings ?? [])].filter(
      ([rule, { severity }]) =>
        (severity !== 'info' && !ownAfter.includes(rule)) || rows.some((row) => row.rule === rule),
    );
    expect(left.map(([rule, { evidence }]) => `${rule} ${JSON.stringify(evidence)}`)).toEqual([]);
    expect([0, ownAfter.length === 0 ? 0 : 1]).toContain(after[at]?.status);
  });
});
