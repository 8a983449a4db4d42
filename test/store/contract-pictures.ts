import { describe, expect, it } from 'vitest';
import type { Picture } from '../../src/monitor/store/store.ts';
import { eachWith, type OpenEmpty } from './opened.ts';
import { commitOf, DAY, HOUR, incidentOf, NOON, opening } from './samples.ts';

const pictureOf = (rest: Partial<Picture> = {}): Picture => ({
  site: 'docs',
  incident: null,
  route: '',
  at: NOON,
  bytes: Uint8Array.of(0xff, 0xd8, 1),
  ...rest,
});

/** Declares the tests of the pictures of pages. */
export function describePictures(open: OpenEmpty): void {
  describe('pictures', () => {
    const current = eachWith(open);
    const incident = incidentOf();
    const bad = pictureOf({ incident: incident.id, bytes: Uint8Array.of(2) });
    const keep = (...pictures: readonly Picture[]) => current().store.append([commitOf({ pictures })]);

    it('of an incident are its first bad one, and the last good one of the same page', async () => {
      const { store, reopen } = current();
      await keep(pictureOf(), pictureOf({ route: '#/guide' }));
      const last = pictureOf({ at: NOON + HOUR, bytes: Uint8Array.of(1) });
      await keep(last);
      await store.append([{ ...opening(incident), pictures: [bad] }]);
      await keep({ ...bad, route: '#/guide', at: NOON + HOUR });
      await keep({ ...bad, at: NOON + HOUR });
      expect(await store.pictures(incident)).toEqual([last, bad]);
      expect(await (await reopen()).pictures(incident)).toEqual([last, bad]);
      expect(await (await reopen()).pictures({ ...incident, id: 'docs-2' })).toEqual([]);
    });

    it('of an incident without a good one are the bad one', async () => {
      await keep(bad);
      expect(await current().store.pictures(incident)).toEqual([bad]);
    });

    it('are ten of each kind at most, the newest', async () => {
      const ids = Array.from({ length: 30 }, (_, index) => `docs-${index}`);
      for (const [index, id] of ids.entries()) await keep({ ...bad, incident: id, at: NOON + index });
      const kept = await Promise.all(ids.map((id) => current().store.pictures({ id, site: 'docs' })));
      expect(kept.map(({ length }) => length)).toEqual(ids.map((_, index) => Number(index >= 20)));
    });

    it('go with their incident', async () => {
      const { store } = current();
      await store.append([{ ...opening(incidentOf({ recoveredAt: NOON + HOUR })), pictures: [bad, pictureOf()] }]);
      await store.prune(NOON + 5 * DAY, { rawMs: DAY, minuteMs: DAY, hourMs: DAY, dayMs: DAY });
      expect(await store.pictures(incident)).toEqual([]);
    });
  });
}
