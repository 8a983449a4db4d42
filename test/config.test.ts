import { describe, expect, it } from 'vitest';
import { checks } from '../checks/index.ts';
import { OWN_CODES } from '../checks/own/check.ts';
import { FIVE } from '../src/config/known.ts';
import { loadTexts } from '../src/texts.ts';

describe('the configuration', () => {
  it('knows the declared checks by default', () => {
    expect(Object.keys(FIVE.builtIn)).toEqual(checks.map(({ id }) => id));
  });

  it.each(Object.keys(OWN_CODES))('the code %s of own checks has texts', async (code) => {
    const texts = await loadTexts('en');
    expect(texts.finding('own', code)).toBeDefined();
  });
});
