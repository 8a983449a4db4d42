import { describe, expect, it } from 'vitest';
import { fleetDocument } from './fleet-document.ts';
import type { Member } from './fleet/members.ts';
import type { FleetView } from './view.ts';

const NOW = Date.parse('2026-11-20T18:00:12Z');
const LOCATIONS = ['paris', 'lima'].map((id) => ({ id, title: id, coordinates: null }));

const member = (id: string, rest: Partial<Member> = {}): Member => ({
  id,
  role: 'runner',
  location: 'paris',
  version: '1.0.0',
  host: 'a',
  pid: 7,
  startedAt: NOW - 60_000,
  silentMs: 0,
  running: 1,
  acting: true,
  problems: [],
  ...rest,
});

const members = [
  member('a', { silentMs: 7_999, problems: ['no-network'] }),
  member('b', { silentMs: 8_000 }),
  member('c', { location: 'lima', role: 'coordinator' }),
];
const fleet = (rest: Partial<FleetView> = {}): FleetView => ({
  members: () => members,
  backlog: async () => new Map([['paris', 3]]),
  ...rest,
});

describe('the document of a fleet', () => {
  it('counts the runners of a location that were heard of in the last 8 s, and its backlog', async () => {
    const { locations } = await fleetDocument(fleet(), LOCATIONS, NOW);
    expect(locations).toEqual([
      { id: 'paris', title: 'paris', runners: 1, backlog: 3 },
      { id: 'lima', title: 'lima', runners: 0, backlog: 0 },
    ]);
  });

  it('has each member with its heartbeat', async () => {
    const document = await fleetDocument(fleet(), LOCATIONS, NOW);
    expect(document.members.map(({ id, alive }) => [id, alive])).toEqual([
      ['a', true],
      ['b', false],
      ['c', true],
    ]);
    expect(document.members[1]).toMatchObject({
      startedAt: '2026-11-20T17:59:12.000Z',
      heartbeatAt: '2026-11-20T18:00:04.000Z',
      problems: [],
    });
    expect(document.members[1]).not.toHaveProperty('silentMs');
  });

  it('has the rejected results where they are known', async () => {
    const rejected = (location?: string): number => (location === 'lima' ? 2 : 0);
    const { locations } = await fleetDocument(fleet({ rejected }), LOCATIONS, NOW);
    expect(locations.map((location) => location.rejected)).toEqual([0, 2]);
  });

  it('has no backlog where the database cannot be read, or without a fleet', async () => {
    const backlog = async (): Promise<never> => Promise.reject(new Error('unreadable'));
    const unread = await fleetDocument(fleet({ backlog }), LOCATIONS, NOW);
    expect(unread.locations.map((location) => location.backlog)).toEqual([null, null]);
    const none = await fleetDocument(null, LOCATIONS, NOW);
    expect(none).toMatchObject({ locations: [{ runners: 0, backlog: null }, {}], members: [] });
  });
});
