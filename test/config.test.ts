import { describe, expect, it } from 'vitest';
import { OWN_RULES } from '../checks/own/check.ts';
import { loadTexts } from '../src/report/texts.ts';

describe('the configuration', () => {
  it.each(Object.keys(OWN_RULES))('the code %s of own checks has texts', async (code) => {
    const texts = await loadTexts('en');
    expect(texts.finding('own', code)).toBeDefined();
  });
});
