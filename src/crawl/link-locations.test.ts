import { describe, expect, it } from 'vitest';
import { Budget, LinkLocations } from './link-locations.ts';

function fill(locations: LinkLocations, count: number): LinkLocations {
  for (let line = 1; line <= count; line++) locations.add({ path: 'a.md', line, column: 1 });
  return locations;
}

describe('LinkPlaces', () => {
  it('keeps a hundred and counts all', () => {
    const locations = fill(new LinkLocations(), 250);
    expect([locations.locations.length, locations.count]).toEqual([100, 250]);
  });

  it('takes over what another has', () => {
    const locations = fill(new LinkLocations(), 30);
    locations.addAll(fill(new LinkLocations(), 250));
    expect([locations.locations.length, locations.count]).toEqual([100, 280]);
  });

  it('shares the room with others, but for the first of each', () => {
    const room = new Budget(5);
    const [first, second] = [fill(new LinkLocations(room), 4), fill(new LinkLocations(room), 4)];
    const third = fill(new LinkLocations(room), 4);
    expect([first, second, third].map(({ locations, count }) => [locations.length, count])).toEqual([
      [4, 4],
      [3, 4],
      [1, 4],
    ]);
    third.addAll(first);
    expect([third.locations.length, third.count]).toEqual([1, 8]);
  });
});
