import { describe, expect, it } from 'vitest';
import { LinkPlaces } from './places.ts';

function fill(places: LinkPlaces, count: number): LinkPlaces {
  for (let line = 1; line <= count; line++) places.add('a.md', line, 1);
  return places;
}

describe('LinkPlaces', () => {
  it('keeps a hundred and counts all', () => {
    const places = fill(new LinkPlaces(), 250);
    expect([places.places.length, places.count]).toEqual([100, 250]);
  });

  it('takes over what another has', () => {
    const places = fill(new LinkPlaces(), 30);
    places.addAll(fill(new LinkPlaces(), 250));
    expect([places.places.length, places.count]).toEqual([100, 280]);
  });

  it('shares the room with others, but for the first of each', () => {
    const room = { left: 5 };
    const [first, second] = [fill(new LinkPlaces(room), 4), fill(new LinkPlaces(room), 4)];
    const third = fill(new LinkPlaces(room), 4);
    expect([first, second, third].map(({ places, count }) => [places.length, count])).toEqual([
      [4, 4],
      [3, 4],
      [1, 4],
    ]);
    third.addAll(first);
    expect([third.places.length, third.count]).toEqual([1, 8]);
  });
});
