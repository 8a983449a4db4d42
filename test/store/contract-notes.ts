import { describe, expect, it } from 'vitest';
import { eachWith, type OpenEmpty } from './opened.ts';

/** Declares the tests of what a store notes under a name. */
export function describeNotes(open: OpenEmpty): void {
  describe('notes', () => {
    const current = eachWith(open);

    it('are nothing before they are made', async () => {
      expect(await current().store.note('a')).toBeNull();
    });

    it.each([
      { name: 'a text', text: 'ș “x”\n🦉' },
      { name: 'nothing', text: '' },
      { name: 'much', text: 'x'.repeat(100_000) },
    ])('keep $name', async ({ text }) => {
      const { store, reopen } = current();
      await store.setNote('a', text);
      expect(await store.note('a')).toBe(text);
      expect(await (await reopen()).note('a')).toBe(text);
    });

    it('take the place of the one before, and of no other', async () => {
      const { store } = current();
      await store.setNote('a', 'first');
      await store.setNote('b', 'other');
      await store.setNote('a', 'second');
      expect([await store.note('a'), await store.note('b')]).toEqual(['second', 'other']);
    });
  });
}
