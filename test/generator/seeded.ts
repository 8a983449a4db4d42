/** Runs a table of faults: each on its kinds of host, with its seeds. */
import type { HostKind } from '../../src/site/host-product.ts';
import type { Report } from '../../src/core/check.ts';
import type { Codes } from './codes.ts';
import { deploymentOf } from './deploy.ts';
import type { Fault, SeededFinding } from './faults/fault.ts';
import { CAUSED_BY_RULES } from './host-rules.ts';
import { random } from './random.ts';
import { checkDeployment, trouble } from './run.ts';
import type { Servers } from './servers.ts';

/** One fault on one kind of host with one seed. */
export interface SeededRow {
  readonly name: string;
  readonly fault: Fault;
  readonly kind: HostKind;
  readonly seed: number;
}

const KINDS: readonly HostKind[] = ['server', 'platform', 'worker'];

/**
 * Every row of a table: a fault that names no kinds of host has one of the three, in turn. The seed differs from row to
 * row, so that no two faults meet the same site.
 */
export function rowsOf(faults: readonly Fault[]): readonly SeededRow[] {
  return faults.flatMap((fault, at) => {
    const { kinds = KINDS.filter((_, of) => of === at % KINDS.length) } = fault;
    return kinds.map((kind, of) => ({ name: fault.name, fault, kind, seed: 10 * at + of }));
  });
}

/** What is said of a row, or should be. */
export interface Said {
  readonly codes: Codes;
  /** Where a finding of the expected code points and what it suggests: `links/missing index.md:3:1 suggests null`. */
  readonly findings: readonly string[];
}

/** Seeds the fault, checks the site, and shows what was said beside what should have been. */
export async function runRow(
  { fault, kind, seed }: SeededRow,
  servers: Servers,
): Promise<{ readonly said: Said; readonly expected: Said; readonly report: Report }> {
  const server = await servers.for(fault.secureDays);
  const options = { pages: 8, depth: 2, languages: ['en'], base: '/', ...fault.site } as const;
  const deployment = deploymentOf(kind, { ...options, seed, origin: server.origin });
  const seeded = fault.seed(deployment, random(`${fault.name} ${kind} ${seed}`));
  const report = await checkDeployment(deployment, server, await fault.wants?.(deployment)).finally(() =>
    fault.clean?.(deployment),
  );
  return {
    said: { codes: trouble(report), findings: seeded === undefined ? [] : findingsLike(report, seeded) },
    expected: { codes: expectedCodes(fault, kind), findings: seeded === undefined ? [] : [shown(seeded)] },
    report,
  };
}

/** Those of the fault and those that the host's rules cause anyway. */
function expectedCodes({ expected, hides = {} }: Fault, kind: HostKind): Codes {
  const own = typeof expected === 'function' ? expected(kind) : expected;
  const ids = [...new Set([...Object.keys(CAUSED_BY_RULES[kind]), ...Object.keys(own)])];
  const codes = ids.map((id) => {
    const caused = (CAUSED_BY_RULES[kind][id] ?? []).filter((code) => hides[id]?.includes(code) !== true);
    return [id, [...new Set([...caused, ...(own[id] ?? [])])].toSorted()] as const;
  });
  return Object.fromEntries(codes.filter(([, all]) => all.length > 0));
}

function findingsLike({ checks }: Report, seeded: SeededFinding): readonly string[] {
  const { check, code } = seeded;
  const findings = checks.find(({ id }) => id === check)?.findings.filter((finding) => finding.rule === code) ?? [];
  const all = findings.flatMap(({ location, locations = [], evidence }) => {
    const suggestion = typeof evidence['suggestion'] === 'string' ? evidence['suggestion'] : undefined;
    return [...(location === undefined ? [] : [location]), ...locations].map((place) =>
      shown({ check, code, location: place, suggestion }),
    );
  });
  // The others only matter where the right one is not among them.
  return all.includes(shown(seeded)) ? [shown(seeded)] : [...new Set(all)];
}

function shown({ check, code, location: { path, line, column }, suggestion }: SeededFinding): string {
  return `${check}/${code} ${path}:${line}:${column} suggests ${suggestion ?? null}`;
}
