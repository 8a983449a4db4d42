import { describe, expect, it } from 'vitest';
import { FakeAround } from '../../../test/monitor/fake-around.ts';
import { alertOf, commitOf, incidentOf, NOON, opening, roundRecord, siteState } from '../../../test/store/samples.ts';
import { Journal, mergeEntries, PATIENCE_MS } from './journal.ts';
import { StoreError, type Entry, type StoreProblem } from './store.ts';

/** What the next writes do: nothing special, or fail. */
type Fate = StoreProblem | 'defect' | 'silent' | null;

function setUp(patienceMs: number = PATIENCE_MS) {
  const timers = new FakeAround(NOON);
  const batches: (readonly Entry[])[] = [];
  const reported: string[] = [];
  const state = { fate: null as Fate, bad: null as string | null };
  const append = async (entries: readonly Entry[]): Promise<void> => {
    if (state.fate === 'silent') return new Promise(() => {});
    const sites = entries.flatMap(({ runs = [] }) => runs).map(({ site }) => site);
    if (state.fate === 'defect' || (state.bad !== null && sites.includes(state.bad))) throw new RangeError('too big');
    if (state.fate !== null) throw new StoreError(state.fate, 'docvitals.db', state.fate);
    batches.push(entries);
  };
  const journal = new Journal({
    store: { append },
    timers,
    log: (_, event) => void reported.push(event),
    patienceMs,
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
    journal,
    state,
    live,
    told: reported,
    sizes: () => batches.map(({ length }) => length),
    written: () => mergeEntries(batches.flat()),
  };
}

const run = (site = 'docs'): Entry => commitOf({ run: roundRecord({ site }) });
const news = (): Entry => opening(incidentOf(), alertOf());

describe('a journal', () => {
  it('writes what comes within a moment in one transaction', async () => {
    const { journal, live, sizes } = setUp();
    for (let count = 0; count < 20; count += 1) void journal.append(run());
    await live(250);
    expect(sizes()).toEqual([]);
    await live(250);
    expect(sizes()).toEqual([20]);
  });

  it('writes news of an incident at once, with what waits', async () => {
    const { journal, live, sizes } = setUp();
    void journal.append(run());
    void journal.append(news());
    await live(0);
    expect(sizes()).toEqual([2]);
  });

  it('writes a great many in pieces, in their order', async () => {
    const { journal, live, sizes } = setUp();
    for (let count = 0; count < 450; count += 1) void journal.append(run());
    await live(1_000);
    expect(sizes()).toEqual([200, 200, 50]);
  });

  it.each<[StoreProblem, string[]]>([
    ['full', ['database-not-writable', 'database-writable']],
    ['read-only', ['database-not-writable', 'database-writable']],
    ['busy', []],
  ])('keeps what cannot be written for a moment: %s', async (problem, expected) => {
    const { journal, state, live, told, sizes } = setUp();
    state.fate = problem;
    void journal.append(run());
    await live(550);
    expect(journal.problem).toBe(problem === 'busy' ? null : problem);
    state.fate = null;
    void journal.append(run());
    await live(20_000);
    expect([journal.problem, journal.unwritten.runs]).toEqual([null, 0]);
    expect(sizes()).toEqual(problem === 'busy' ? [2] : [1]);
    expect(told.filter((event) => expected.includes(event) || problem !== 'busy')).toEqual(expected);
  });

  it('reports that a lock lasts', async () => {
    const { journal, state, live, told } = setUp();
    state.fate = 'busy';
    void journal.append(run());
    await live(60_000);
    expect(told).toEqual(['database-not-writable']);
  });

  it('writes the last of all that could not be written, in one, and leaves out runs without news', async () => {
    const { journal, state, live, written, told, sizes } = setUp();
    state.fate = 'full';
    void journal.append(run());
    await live(600);
    void journal.append(news());
    for (let count = 0; count < 100; count += 1) void journal.append(run());
    const last = alertOf({ state: 'sent', sentAt: NOON });
    void journal.append({ notifications: [last], states: new Map([['docs', siteState({ verdict: 'down' })]]) });
    await live(60_000);
    expect(journal.unwritten).toEqual({ runs: 102, incidents: 1 });
    state.fate = null;
    await live(20_000);
    expect(journal.unwritten).toEqual({ runs: 0, incidents: 0 });
    expect(sizes()).toEqual([1]);
    expect(written()).toMatchObject({ incidents: [incidentOf()], notifications: [last] });
    expect([written().runs.length, written().states.get('docs')?.verdict]).toEqual([1, 'down']);
    expect(told).toEqual(['database-not-writable', 'database-writable']);
  });

  it('is waited for until it is written, for two seconds at most, and not while it is known to fail', async () => {
    const { journal, state, live } = setUp();
    const over: string[] = [];
    const append = (name: string): void => void journal.append(news()).then(() => over.push(name));
    append('written');
    await live(0);
    expect(over.splice(0)).toEqual(['written']);
    state.fate = 'silent';
    append('late');
    await live(PATIENCE_MS - 1);
    expect(over).toEqual([]);
    await live(1);
    expect(over.splice(0)).toEqual(['late']);
    const failing = setUp();
    failing.state.fate = 'full';
    void failing.journal.append(news()).then(() => over.push('full'));
    await failing.live(0);
    void failing.journal.append(news()).then(() => over.push('full again'));
    await failing.live(0);
    expect(over).toEqual(['full', 'full again']);
  });

  it('is waited for as long as it takes where nothing goes on without it', async () => {
    const { journal, state, live } = setUp(Infinity);
    state.fate = 'full';
    const over: string[] = [];
    void journal.append(news()).then(() => over.push('first'));
    await live(60_000);
    void journal.append(news()).then(() => over.push('second'));
    await live(60_000);
    expect(over).toEqual([]);
    state.fate = null;
    await live(20_000);
    expect(over).toEqual(['first', 'second']);
  });

  it('leaves out what cannot be written at all, and writes all else, also of that entry', async () => {
    const { journal, state, live, told, written } = setUp();
    state.bad = 'odd';
    const odd = opening(incidentOf({ id: 'odd-1', site: 'odd' }), alertOf({ key: 'odd' }));
    for (const entry of [run(), odd, news(), run()]) void journal.append(entry);
    await live(1_000);
    expect([told, journal.problem, journal.unwritten.runs]).toEqual([['run-not-kept'], null, 0]);
    expect(written().runs.map(({ site }) => site)).toEqual(['docs', 'docs', 'docs']);
    expect(written().incidents.map(({ id }) => id)).toEqual(['odd-1', 'docs-1']);
    expect(written().notifications.map(({ key }) => key)).toEqual(['odd', alertOf().key]);
  });

  it('flushes all there is, and says whether that worked out', async () => {
    const { journal, state, sizes } = setUp();
    for (let count = 0; count < 300; count += 1) void journal.append(run());
    expect(await journal.flush()).toBe(true);
    expect(sizes()).toEqual([200, 100]);
    state.fate = 'full';
    void journal.append(run());
    expect(await journal.flush()).toBe(false);
  });
});
