import { describe, expect, it } from 'vitest';
import { FakeAround } from '../../../test/monitor/fake-around.ts';
import { alertOf, commitOf, incidentOf, NOON, opening, roundRecord } from '../../../test/store/samples.ts';
import type { OutboxEntry } from '../alerts/alert.ts';
import { StoreError, type StoreProblem, type RunCommit } from '../store/store.ts';
import { Writer } from './writer.ts';

/** What the next commits do: nothing special, or fail. */
type Fate = StoreProblem | 'defect' | null;

function setUp() {
  const timers = new FakeAround(NOON);
  const batches: (readonly RunCommit[])[] = [];
  const reported: string[] = [];
  const sent: string[] = [];
  const written: OutboxEntry[] = [];
  const state = { fate: null as Fate, bad: null as RunCommit | null, isReceived: true };
  const commit = async (runs: readonly RunCommit[]): Promise<void> => {
    if (state.fate === 'defect' || (state.bad !== null && runs.includes(state.bad))) throw new RangeError('too big');
    if (state.fate !== null) throw new StoreError(state.fate, 'docvitals.db', state.fate);
    batches.push(runs);
    for (const { sent: at, outbox } of runs) written.push(...outbox.add.filter(({ key }) => at?.has(key)));
  };
  const writer = new Writer({
    store: { commit },
    timers,
    log: (_, event) => void reported.push(event),
    now: () => timers.wall(),
    onWritten: () => {},
    send: async ({ key }) => (sent.push(key), state.isReceived ? timers.wall() : null),
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
  return {
    writer,
    state,
    live,
    told: reported,
    sent,
    sizes: () => batches.map(({ length }) => length),
    written,
  };
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
    expect([writer.problem, writer.unwritten.runs]).toEqual([null, 0]);
    expect(sizes()).toEqual(problem === 'busy' ? [2] : [1]);
    expect(told.filter((event) => expected.includes(event) || problem !== 'busy')).toEqual(expected);
  });

  it('reports that a lock lasts', async () => {
    const { writer, state, live, told } = setUp();
    state.fate = 'busy';
    writer.add(run());
    await live(60_000);
    expect(told).toEqual(['database-not-writable']);
  });

  it('sends alerts from memory that cannot be written, each once, and writes when', async () => {
    const { writer, state, live, sent, written } = setUp();
    state.fate = 'full';
    writer.add(run());
    await live(600);
    writer.add(news());
    writer.add(run());
    await live(60_000);
    expect(sent).toEqual([alertOf().key]);
    expect([writer.unwritten, writer.unsent]).toEqual([{ runs: 3, incidents: 1 }, []]);
    state.fate = null;
    await live(20_000);
    expect(writer.unwritten).toEqual({ runs: 0, incidents: 0 });
    expect(written).toEqual([alertOf()]);
    expect(sent).toHaveLength(1);
  });

  it('sends them again where they were not received, in order', async () => {
    const { writer, state, live, sent } = setUp();
    state.fate = 'full';
    state.isReceived = false;
    const recovered = alertOf({ event: 'recovered' });
    writer.add(news());
    writer.add(commitOf({ outbox: { add: [recovered], cancel: [] } }));
    await live(10_000);
    expect(sent.length).toBeGreaterThan(1);
    expect(new Set(sent)).toEqual(new Set([alertOf().key]));
    state.isReceived = true;
    await live(60_000);
    expect(sent.slice(-2)).toEqual([alertOf().key, recovered.key]);
  });

  it('does not send those that are not due, or were cancelled', async () => {
    const { writer, state, live, sent } = setUp();
    state.fate = 'full';
    writer.add(opening(incidentOf(), alertOf({ dueAt: Number.MAX_SAFE_INTEGER }), alertOf({ route: 'boss' })));
    writer.add(commitOf({ outbox: { add: [], cancel: [alertOf({ route: 'boss' }).key] } }));
    await live(60_000);
    expect(sent).toEqual([]);
  });

  it('sends one that was written again, as it is then', async () => {
    const { writer, state, live, sent } = setUp();
    state.fate = 'full';
    writer.add(opening(incidentOf(), alertOf({ dueAt: Number.MAX_SAFE_INTEGER }), alertOf({ route: 'boss' })));
    const again = alertOf({ alsoSites: ['blog'] });
    const { key } = alertOf({ route: 'boss' });
    writer.add(commitOf({ outbox: { add: [again], cancel: [again.key, key] } }));
    await live(60_000);
    expect(sent).toEqual([again.key]);
  });

  it('says what is cancelled and not written: the last word counts', async () => {
    const { writer, state, live } = setUp();
    const { key } = alertOf();
    const is = [writer.isCancelled(key)];
    writer.add(commitOf({ outbox: { add: [], cancel: [key] } }));
    is.push(writer.isCancelled(key), writer.isCancelled('other'));
    state.fate = 'full';
    writer.add(news());
    is.push(writer.isCancelled(key));
    writer.add(commitOf({ outbox: { add: [], cancel: [key] } }));
    is.push(writer.isCancelled(key));
    state.fate = null;
    await live(60_000);
    expect([...is, writer.isCancelled(key)]).toEqual([false, true, false, false, true, false]);
  });

  it('leaves out a run that cannot be written at all, and writes the others', async () => {
    const { writer, state, live, told, sizes } = setUp();
    const bad = run('odd');
    state.bad = bad;
    for (const commit of [run(), bad, run()]) writer.add(commit);
    await live(600);
    expect([sizes(), told, writer.unwritten.runs]).toEqual([[1, 1], ['run-not-kept'], 0]);
  });

  it('sends the alerts of news that are refused, and does not let other sites wait', async () => {
    const { writer, state, live, told, sent, sizes } = setUp();
    state.bad = news();
    for (const commit of [run('other'), state.bad, run(), run('other')]) writer.add(commit);
    await live(1_000);
    expect([sizes(), told, sent]).toEqual([[1, 1, 1], ['run-not-kept'], [alertOf().key]]);
    expect([writer.problem, writer.unwritten.runs, writer.unsent]).toEqual([null, 0, []]);
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
