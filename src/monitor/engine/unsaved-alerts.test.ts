import { describe, expect, it } from 'vitest';
import { alertOf, commitOf, incidentOf, NOON, opening } from '../../../test/store/samples.ts';
import type { KnownAlert, PendingAlert } from '../alerts/alert.ts';
import { StoreError, type RunCommit, type Store } from '../store/store.ts';
import { UnsavedAlerts } from './writer.ts';

const FULL = new StoreError('full', 'docvitals.db', 'full');

interface Setup {
  /** What is due in the database. */
  readonly stored?: readonly PendingAlert[];
  /** What it knows of the incident. */
  readonly known?: readonly KnownAlert[];
  readonly fails?: boolean;
  readonly stuck?: boolean;
}

/** A store that has these alerts, or fails; notes what is told to it. */
function setUp(waiting: RunCommit[], { stored = [], known = [], fails = false, stuck = true }: Setup = {}) {
  const state = { isFull: false };
  const noted: string[] = [];
  const demand = (): void => {
    if (fails) throw FULL;
  };
  const store = {
    dueAlerts: async (_: number, limit: number) => (demand(), stored.slice(0, limit)),
    outboxState: async () => (demand(), { pending: stored.length, nextDueAt: NOON, oldestAt: null }),
    alertSent: async ({ key }: { readonly key: string }) => {
      if (state.isFull) throw FULL;
      noted.push(`sent ${key}`);
    },
    alertFailed: async ({ key }: { readonly key: string }) => void noted.push(`failed ${key}`),
    bringForward: async () => demand(),
    alertsOf: async () => (demand(), known),
    incident: async () => null,
  } as unknown as Store;
  const held = new UnsavedAlerts({
    store,
    isStuck: () => stuck,
    waiting: () => waiting,
  });
  const due = async (now = NOON): Promise<string[]> => (await held.dueAlerts(now, 10)).map(({ key }) => key);
  return { held, due, noted, state };
}

const incident = incidentOf();
const opened = alertOf({ event: 'opened' });
const recovered = alertOf({ key: `${incident.id}:recovered:ops`, event: 'recovered' });
const open = opening(incident, opened);
const over = commitOf({
  incidents: [{ ...incident, recoveredAt: NOON }],
  outbox: { add: [recovered], cancel: [] },
});

describe('alerts that could not be written', () => {
  it('are due as if they were', async () => {
    const { due, held } = setUp([open], { fails: true });
    expect(await due()).toEqual([opened.key]);
    expect(await due(NOON - 1)).toEqual([]);
    expect(await held.outboxState()).toEqual({ pending: 1, nextDueAt: NOON, oldestAt: NOON });
  });

  it('are left to the database as long as it works', async () => {
    const { due } = setUp([open], { stuck: false });
    expect(await due()).toEqual([]);
  });

  it('come in order: the end of an incident after its begin was told', async () => {
    const { due, held, noted } = setUp([open, over], { fails: true });
    expect(await due()).toEqual([opened.key]);
    await held.alertSent(opened, NOON);
    expect(await due()).toEqual([recovered.key]);
    expect(noted).toEqual([]);
  });

  it.each<[string, Setup, string[]]>([
    ['wait for what is before them in the database', { known: [{ ...opened, sentAt: null }] }, []],
    ['follow what was sent before', { known: [{ ...opened, sentAt: NOON }] }, [recovered.key]],
    ['follow what was given up before', {}, [recovered.key]],
    ['wait on their own route only', { known: [{ ...opened, route: 'boss', sentAt: null }] }, [recovered.key]],
    ['wait where that cannot be told', { fails: true }, []],
  ])('%s', async (_, setup, expected) => {
    const { due } = setUp([over], setup);
    expect(await due()).toEqual(expected);
  });

  it('follow what arrived though the database could not be told so', async () => {
    const stored = [{ ...opened, attempts: 0, lastError: null }];
    const { due, held, state, noted } = setUp([over], { stored, known: [{ ...opened, sentAt: null }] });
    state.isFull = true;
    await expect(held.alertSent(opened, NOON)).rejects.toBe(FULL);
    expect(await due()).toEqual([recovered.key]);
    expect(await held.outboxState()).toMatchObject({ pending: 1 });
    state.isFull = false;
    await held.written([over]);
    expect(noted).toEqual([`sent ${opened.key}`]);
  });

  it('are tried again when they failed, and given up when that is said', async () => {
    const { due, held } = setUp([open], { fails: true });
    await held.alertFailed(opened, { error: 'http 503', dueAt: NOON + 1_000 });
    expect(await due(NOON + 999)).toEqual([]);
    expect((await held.dueAlerts(NOON + 1_000, 10))[0]).toMatchObject({ attempts: 1, lastError: 'http 503' });
    await held.alertFailed(opened, { error: 'http 410', dueAt: null });
    expect(await due(NOON + 1_000_000)).toEqual([]);
  });

  it('are due sooner, once, by a clock that was set back while the disk is full', async () => {
    const { held, due } = setUp([open], { fails: true });
    await held.alertFailed({ key: opened.key }, { error: 'x', dueAt: NOON + 1_000 });
    // It is tried again until the database has it.
    for (let tries = 0; tries < 2; tries += 1) await expect(held.bringForward(900)).rejects.toBe(FULL);
    expect([await due(NOON + 99), await due(NOON + 100)]).toEqual([[], [opened.key]]);
  });

  it('are tried again as soon as they would be when the clock is set back', async () => {
    const { due, held } = setUp([open]);
    await held.alertFailed(opened, { error: 'http 503', dueAt: NOON + 1_000 });
    await held.bringForward(900);
    expect([await due(NOON + 99), await due(NOON + 100)]).toEqual([[], [opened.key]]);
  });

  it('are not sent when they were cancelled since', async () => {
    const cancelled = commitOf({ outbox: { add: [], cancel: [opened.key] } });
    const { due } = setUp([open, cancelled]);
    expect(await due()).toEqual([]);
  });

  it.each([
    ['while nothing can be written', true],
    ['in the moment before it is', false],
  ])('nor are those of the database: %s', async (_, stuck) => {
    const escalation = {
      ...alertOf({ key: `${incident.id}:opened:boss`, route: 'boss' }),
      attempts: 0,
      lastError: null,
    };
    const other = { ...alertOf({ key: 'other:opened:ops' }), attempts: 0, lastError: null };
    const cancelled = commitOf({ outbox: { add: [], cancel: [escalation.key] } });
    const { held } = setUp([cancelled], { stored: [escalation, other], stuck });
    expect((await held.dueAlerts(NOON, 1)).map(({ key }) => key)).toEqual([other.key]);
    expect(await held.outboxState()).toMatchObject({ pending: 1, nextDueAt: other.dueAt });
  });

  it('are noted as sent once they are in the database', async () => {
    const { held, noted } = setUp([open]);
    await held.alertSent(opened, NOON);
    await held.written([open]);
    expect(noted).toEqual([`sent ${opened.key}`]);
  });

  it('do not hide that the database cannot be read where none waits', async () => {
    const { held } = setUp([], { fails: true });
    await expect(held.dueAlerts(NOON, 10)).rejects.toBe(FULL);
    await expect(held.outboxState()).rejects.toBe(FULL);
  });

  it('leave those of the database to it', async () => {
    const stored = { ...alertOf({ key: 'other:opened:ops' }), attempts: 0, lastError: null };
    const { due, held, noted } = setUp([open], { stored: [stored] });
    expect(await due()).toEqual([opened.key, stored.key]);
    await held.alertSent(stored, NOON);
    await held.alertFailed(stored, { error: 'x', dueAt: null });
    expect(noted).toEqual([`sent ${stored.key}`, `failed ${stored.key}`]);
  });

  it('tell of incidents that are not written yet', async () => {
    const { held } = setUp([open, over]);
    expect(await held.incident(incident.id)).toMatchObject({ recoveredAt: NOON });
    expect(await held.incident('other')).toBeNull();
    expect(await held.alertsOf(incident.id)).toMatchObject([{ key: opened.key }, { key: recovered.key }]);
  });
});
