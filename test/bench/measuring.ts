/** Measures what was chosen, one after the other. */
import { beyond, type Limits } from './limits.ts';
import { prove, type Testimony } from './proof.ts';
import { resultOf, today, type Result, type Results } from './results.ts';
import type { Environment } from './environment.ts';
import type { Grown, Growth } from './growth/growth.ts';
import type { Row } from './row.ts';
import { say, type Session } from './session.ts';
import { resultLine } from './table.ts';

/** What is beyond its limit is measured so often before it counts: a busy machine is no step backwards. */
const TRIES = 3;

export interface Chosen {
  readonly rows: readonly Row[];
  readonly growths: readonly Growth[];
  /** What ratios are held against; what has a limit has to be measured. */
  readonly limits: Limits;
  /** Pairs of a row, runs of a point. */
  readonly pairs: (one: Row | Growth) => number;
}

/** What fails is told to the session; the rest is measured all the same, but nothing where the proof has failed. */
export async function measureAll(chosen: Chosen, environment: Environment, session: Session): Promise<Results> {
  const proof = await proved(chosen, session);
  if (session.problems.length > 0) return { environment, rows: {}, growth: {}, proof };
  const rows: [string, Result][] = [];
  for (const row of chosen.rows) {
    const result = await attempt(row, chosen, session, () => measured(row, chosen, session));
    if (result !== undefined) rows.push([row.id, result]);
  }
  const growth: [string, Grown][] = [];
  for (const one of chosen.growths) {
    const runs = chosen.pairs(one);
    const points = await attempt(one, chosen, session, () => one.measure(session.bench(one.id, runs)));
    const where = {
      ...environment,
      peers: Object.fromEntries(one.needs.map((name) => [name, environment.peers[name] ?? ''])),
    };
    if (points !== undefined) growth.push([one.id, { date: today(), runs, environment: where, points }]);
  }
  return { environment, rows: Object.fromEntries(rows), growth: Object.fromEntries(growth), proof };
}

/** Contenders that can be run here show that they look. */
async function proved({ rows }: Chosen, session: Session): Promise<readonly Testimony[]> {
  const checkers = rows
    .filter(({ needs }) => session.missing(needs) === undefined)
    .flatMap((row) => row.checkers ?? []);
  const { testimonies, problems } = await prove(new Set(checkers), session.bench('proof', 1));
  for (const problem of problems) session.fail(problem);
  return testimonies;
}

/** A row, measured again while it is beyond its limit. */
async function measured(row: Row, { limits, pairs }: Chosen, session: Session): Promise<Result> {
  for (let tries = 1; ; tries++) {
    const result = resultOf(row, await row.measure(session.bench(row.id, pairs(row))));
    say(resultLine(row, result));
    const problems = beyond(result, limits[row.id]).map((problem) => `${row.id}: ${problem}`);
    if (problems.length > 0 && tries < TRIES) continue;
    for (const problem of problems) session.fail(problem);
    return result;
  }
}

/** Does it, unless it cannot be done here. */
async function attempt<Value>(
  { id, needs }: Pick<Row, 'id' | 'needs'>,
  { limits }: Chosen,
  session: Session,
  act: () => Promise<Value>,
): Promise<Value | undefined> {
  const missing = session.missing(needs);
  if (missing !== undefined) {
    if (id in limits) session.fail(`${id} could not be measured: ${missing}`);
    else say(`${id} is left out: ${missing}`);
    return undefined;
  }
  try {
    return await act();
  } catch (error) {
    session.throwIfStopped();
    session.fail(`${id}: ${(error as Error).message}`);
    return undefined;
  }
}
