import { describe, expect, it } from 'vitest';
import { alertOf, commitOf, incidentOf, NOON, opening } from '../../../test/store/samples.ts';
import type { PendingAlert } from '../alerts/outbox.ts';
import { StoreError } from '../store/store-error.ts';
import type { RoundCommit, Store } from '../store/store.ts';
import { HeldAlerts, openedIn } from './held-alerts.ts';

const FULL = new StoreError('full', 'docvitals.db', 'full');

/** A store that has these alerts, or fails; notes what is told to it. */
function setUp(waiting: RoundCommit[], { stored = [] as PendingAlert[], fails = false, stuck = true } = {}) {
  const noted: string[] = [];
  const sent: string[] = [];
  const demand = (): void => {
    if (fails) throw FULL;
  };
  const store = {
    dueAlerts: async () => (demand(), stored),
    outboxState: async () => (demand(), { pending: stored.length, nextDueAt: null, oldestAt: null }),
    alertSent: async ({ key }: { readonly key: string }) => void noted.push(`sent ${key}`),
    alertFailed: async ({ key }: { readonly key: string }) => void noted.push(`failed ${key}`),
    alertsOf: async () => [],
    incident: async () => null,
  } as unknown as Store;
  const held = new HeldAlerts({
    store,
    isStuck: () => stuck,
    waiting: () => waiting,
    onSent: (key) => sent.push(key),
  });
  const due = async (now = NOON): Promise<string[]> => (await held.dueAlerts(now, 10)).map(({ key }) => key);
  return { held, due, noted, sent };
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
    const { due, held, noted, sent } = setUp([open, over], { fails: true });
    expect(await due()).toEqual([opened.key]);
    await held.alertSent(opened, NOON);
    expect(await due()).toEqual([recovered.key]);
    expect([noted, sent]).toEqual([[], [opened.key]]);
  });

  it('wait in the database for what is before them there', async () => {
    const { due } = setUp([over]);
    expect(await due()).toEqual([]);
  });

  it('are tried again when they failed, and given up when that is said', async () => {
    const { due, held } = setUp([open], { fails: true });
    await held.alertFailed(opened, { error: 'http 503', dueAt: NOON + 1_000 });
    expect(await due(NOON + 999)).toEqual([]);
    expect((await held.dueAlerts(NOON + 1_000, 10))[0]).toMatchObject({ attempts: 1, lastError: 'http 503' });
    await held.alertFailed(opened, { error: 'http 410', dueAt: null });
    expect(await due(NOON + 1_000_000)).toEqual([]);
  });

  it('are not sent when they were cancelled since', async () => {
    const cancelled = commitOf({ outbox: { add: [], cancel: [opened.key] } });
    const { due } = setUp([open, cancelled]);
    expect(await due()).toEqual([]);
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

describe('the key of an alert', () => {
  it.each([
    ['docs-20261120T180000000:opened:ops', 'docs-20261120T180000000'],
    ['docs-20261120T180000000:recovered:ops', null],
    ['docs-20261120T180000000:reminder:2:ops', null],
    ['', null],
  ])('%s', (key, expected) => {
    expect(openedIn(key)).toBe(expected);
  });
});
