import { describe, expect, it } from 'vitest';
import { FakeAround } from '../../../test/monitor/fake-around.ts';
import { alertOf, commitOf, incidentOf, opening, roundRecord } from '../../../test/store/samples.ts';
import { StoreError, type StoreProblem, type RunCommit } from '../store/store.ts';
import { Writer } from './writer.ts';

/** What the next commits do: nothing special, or fail. */
type Fate = StoreProblem | 'defect' | null;

function setUp() {
  const timers = new FakeAround();
  const batches: (readonly RunCommit[])[] = [];
  const reported: string[] = [];
  let held = 0;
  const state = { fate: null as Fate, bad: null as RunCommit | null };
  const commit = async (runs: readonly RunCommit[]): Promise<void> => {
    if (state.fate === 'defect' || (state.bad !== null && runs.includes(state.bad))) throw new RangeError('too big');
    if (state.fate !== null) throw new StoreError(state.fate, 'docvitals.db', state.fate);
    batches.push(runs);
  };
  const writer = new Writer({
    store: { commit },
    timers,
    log: (_, event) => void reported.push(event),
    onWritten: () => {},
    onHeld: () => {
      held += 1;
    },
  });
  const live = async (ms: number): Promise<void> => {
    const end = timers.monotonic() + ms;
    for (;;) {
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      const next = timers.untilNext();
      if (next === null || timers.monotonic() + next > end) break;
      timers.advance(next);
    }
    timers.advance(end - timers.monotonic());
  };
  return { writer, state, live, told: reported, held: () => held, sizes: () => batches.map(({ length }) => length) };
}

const run = (site = 'docs'): RunCommit => commitOf({ run: roundRecord({ site }) });
const news = (): RunCommit => opening(incidentOf(), alertOf());

describe('the writer', () => {
  it('writes what comes within a moment in one transaction', async () => {
    const { writer, live, sizes } = setUp();
    for (let count = 0; count < 20; count += 1) writer.add(run());
    await live(250);
    expect(sizes()).toEqual([]);
    await live(250);
    expect(sizes()).toEqual([20]);
  });

  it('writes news of an incident at once, with what waits', async () => {
    const { writer, live, sizes } = setUp();
    writer.add(run());
    writer.add(news());
    await live(0);
    expect(sizes()).toEqual([2]);
  });

  it('writes a great many in pieces, in their order', async () => {
    const { writer, live, sizes } = setUp();
    for (let count = 0; count < 450; count += 1) writer.add(run());
    await live(1_000);
    expect(sizes()).toEqual([200, 200, 50]);
  });

  it.each<[StoreProblem, string[]]>([
    ['full', ['database-not-writable', 'database-writable']],
    ['read-only', ['database-not-writable', 'database-writable']],
    ['busy', []],
  ])('keeps what cannot be written for a moment: %s', async (problem, expected) => {
    const { writer, state, live, told, sizes } = setUp();
    state.fate = problem;
    writer.add(run());
    await live(550);
    expect(writer.problem).toBe(problem === 'busy' ? null : problem);
    state.fate = null;
    writer.add(run());
    await live(20_000);
    expect([writer.problem, writer.waiting, sizes()]).toEqual([null, [], [2]]);
    expect(told.filter((event) => expected.includes(event) || problem !== 'busy')).toEqual(expected);
  });

  it('tells that a lock lasts', async () => {
    const { writer, state, live, told } = setUp();
    state.fate = 'busy';
    writer.add(run());
    await live(60_000);
    expect(told).toEqual(['database-not-writable']);
  });

  it('says that alerts wait which cannot be written', async () => {
    const { writer, state, live, held } = setUp();
    state.fate = 'full';
    writer.add(run());
    await live(600);
    expect(held()).toBe(0);
    writer.add(news());
    expect(held()).toBe(1);
  });

  it('leaves out a round that cannot be written at all, and writes the others', async () => {
    const { writer, state, live, told, sizes } = setUp();
    const bad = run('odd');
    state.bad = bad;
    for (const commit of [run(), bad, run()]) writer.add(commit);
    await live(600);
    expect([sizes(), told, writer.waiting]).toEqual([[1, 1], ['round-not-kept'], []]);
  });

  it('keeps news that are refused, lets alerts go out, and does not let other sites wait for it', async () => {
    const { writer, state, live, told, held, sizes } = setUp();
    const bad = news();
    state.bad = bad;
    const later = run(bad.run.site);
    for (const commit of [run('other'), bad, later, run('other')]) writer.add(commit);
    await live(450);
    expect([sizes(), told, writer.waiting]).toEqual([[1, 1], ['database-not-writable'], [bad, later]]);
    expect([writer.problem, held()]).toEqual(['refused', 1]);
    state.bad = null;
    await live(20_000);
    expect([sizes(), told, writer.waiting]).toEqual([[1, 1, 2], ['database-not-writable', 'database-writable'], []]);
    expect(writer.problem).toBeNull();
  });

  it('does not try news for ever that nothing can be done about', async () => {
    const { writer, state, live, told } = setUp();
    state.bad = news();
    writer.add(state.bad);
    await live(5 * 60_000);
    expect(writer.waiting).toEqual([state.bad]);
    await live(10 * 60_000);
    expect([writer.problem, writer.waiting]).toEqual([null, []]);
    expect(told).toEqual(['database-not-writable', 'round-not-kept', 'database-writable']);
  });

  it('keeps news when the memory is full of other rounds', async () => {
    const { writer, state, live } = setUp();
    state.fate = 'full';
    const important = news();
    writer.add(important);
    for (let count = 0; count < 10_500; count += 1) writer.add(run());
    await live(600);
    expect(writer.waiting).toHaveLength(10_000);
    expect(writer.waiting[0]).toBe(important);
  });

  it('flushes all there is, and says whether that worked out', async () => {
    const { writer, state, sizes } = setUp();
    for (let count = 0; count < 300; count += 1) writer.add(run());
    expect(await writer.flush()).toBe(true);
    expect(sizes()).toEqual([200, 100]);
    state.fate = 'full';
    writer.add(run());
    expect(await writer.flush()).toBe(false);
  });
});
