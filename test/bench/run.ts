/**
 * `npm run bench`: docvitals compared with what people would use instead. README.md explains how it measures, and has the
 * results; rows.ts has what is measured.
 */
import { parseArgs } from 'node:util';
import * as documents from './documents.ts';
import { FIGURES } from './measure.ts';
import { peer, type PeerName } from './peers.ts';
import { prove } from './proof.ts';
import type { Row } from './row.ts';
import { GROWTHS, ROWS } from './rows.ts';
import { isStopped, print, progress, stopOnSignals } from './session.ts';

const USAGE = `Usage: npm run bench -- [option...]

Compares docvitals with what people would use instead, both in turn, and prints the tables.

  --only <ids>      rows to measure, separated by commas: one-shot/curl, or all of one-shot;
                    what grows is measured only if it is one of them: growth
  --runs <n>        pairs of every row, runs of every step, instead of their own number
  --short           five rows, which fail where a ratio exceeds its limit, as in CI
  --write           write results.json, the charts and the tables of the documents
  --help            print this`;

/** Of each row with `--short`. */
const SHORT_PAIRS = 5;
/** What exceeds a limit is measured so often before it counts: a busy machine is no regression. */
const TRIES = 3;

const problems: string[] = [];
function fail(problem: string): void {
  problems.push(problem);
  print(`✗ ${problem}`);
}

/** Why a row cannot be measured here. */
function missing(needs: readonly PeerName[]): string | undefined {
  try {
    for (const name of needs) peer(name);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Figures that exceed what CI fails at. */
const beyond = ({ id }: Row, { figures }: documents.Result): readonly string[] =>
  documents.limitsOf(id).flatMap(([figure, { of, atMost, inCi = atMost }]) => {
    const value = figures[figure]?.[of].median ?? NaN;
    return value <= inCi ? [] : [`${id}: ${figure} (${of}) is ${documents.short(value)}, more than ${inCi}`];
  });

async function measured(row: Row, pairs: number, isShort: boolean): Promise<documents.Result> {
  for (let tries = 1; ; tries++) {
    const result = documents.resultOf(row, await row.measure(pairs));
    const ratios = row.figures.map((figure) => {
      const { median = NaN } = result.figures[figure]?.ratio ?? {};
      return `${FIGURES[figure].name} ${documents.short(median)}`;
    });
    print(`${row.id}, against ${row.against}: ${ratios.join(', ')}`);
    const exceeded = isShort ? beyond(row, result) : [];
    if (exceeded.length > 0 && tries < TRIES) continue;
    for (const problem of exceeded) fail(problem);
    return result;
  }
}

/** Passes what cannot be measured to `fail`; the rest is measured all the same. */
async function attempt(id: string, act: () => Promise<void>): Promise<void> {
  if (isStopped()) return;
  try {
    await act();
  } catch (error) {
    fail(`${id}: ${(error as Error).message}`);
  }
}

const isShortRow = ({ id }: Row): boolean => documents.limitsOf(id).some(([, { inCi }]) => inCi !== undefined);

async function bench(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      runs: { type: 'string' },
      short: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const only = values.only.split(',').filter(Boolean);
  const usual = values.short ? ROWS.filter(isShortRow) : ROWS;
  const isChosen = ({ id }: { readonly id: string }): boolean =>
    only.some((wanted) => id === wanted || id.startsWith(`${wanted}/`));
  const isPossible = ({ id, needs }: Pick<Row, 'id' | 'needs'>): boolean => {
    const reason = missing(needs);
    if (reason !== undefined) (values.short ? fail : print)(`${id} is left out: ${reason}`);
    return reason === undefined;
  };
  const chosen = only.length > 0 ? ROWS.filter(isChosen) : usual;
  const rows = chosen.filter(isPossible);
  const growths = GROWTHS.filter(isChosen).filter(isPossible);
  if (rows.length + growths.length === 0) throw new Error(`nothing to measure: ${values.only}`);
  const runs = Number(values.runs ?? (values.short ? SHORT_PAIRS : NaN));
  const results = { rows: {} as Record<string, documents.Result>, growth: {} as Record<string, documents.Grown> };
  const proof = await prove(
    rows.flatMap(({ checkers = [] }) => checkers),
    fail,
  );
  if (problems.length > 0) return;
  for (const row of rows)
    await attempt(row.id, async () => {
      results.rows[row.id] = await measured(row, runs || row.pairs, values.short);
    });
  for (const growth of growths)
    await attempt(growth.id, async () => {
      const points: documents.Grown['points'][number][] = [];
      for (const at of growth.steps) {
        progress(`${growth.id}: ${at} ${growth.what}`);
        points.push({ at, costs: await growth.measure(at, runs || growth.runs) });
      }
      results.growth[growth.id] = { ...documents.occasionOf(growth), runs: runs || growth.runs, points };
    });
  console.log(
    Object.values(documents.partsOf({ ...results, proof }, rows))
      .filter(Boolean)
      .join('\n'),
  );
  if (values.write && !values.short && problems.length === 0) documents.writeDocuments({ ...results, proof });
}

stopOnSignals();
await bench().catch((error: unknown) => fail((error as Error).message));
if (problems.length > 0) process.exitCode = 1;
