import { it } from 'vitest';
import { chromiumWanted } from '../hosts/chromium.ts';
import { expectBounded } from './floods.ts';

it.runIf(chromiumWanted())('a page that sends messages without end is bounded', { timeout: 90_000 }, () =>
  expectBounded(`setInterval(() => { for (let i = 0; i < 20_000; i++) console.error('x'.repeat(1_000) + i); }, 1)`),
);

it.runIf(chromiumWanted())('a page that navigates without end is bounded', { timeout: 90_000 }, () =>
  expectBounded(
    `setInterval(() => { for (let i = 0; i < 1_000; i++) history.pushState({}, '', '?' + Math.random()); })`,
  ),
);
