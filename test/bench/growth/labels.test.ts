import { expect, it } from 'vitest';
import { spreadOut } from './labels.ts';

const room = { apart: 30, low: 60, high: 240 };

it.each([
  ['stay where they have room', [100, 200], [100, 200]],
  ['go down where they have none', [100, 110], [100, 130]],
  ['keep their order', [110, 100], [130, 100]],
  ['stay within the room', [235, 239, 20], [210, 240, 60]],
  ['of one height are apart', [100, 100, 100], [100, 130, 160]],
])('names that %s', (_, heights, placed) => {
  expect(spreadOut(heights, room)).toEqual(placed);
});
