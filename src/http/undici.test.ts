import { Client as Published } from 'undici';
import { expect, it } from 'vitest';
import { Client } from './undici.ts';

// The inner module that is loaded for speed is the published class, so its types and behaviour are the documented ones.
it('is the client that undici publishes', () => {
  expect(Client).toBe(Published);
});
