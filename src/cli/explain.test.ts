import { afterEach, describe, expect, it, vi } from 'vitest';
import { checks } from '../../checks/index.ts';
import { LANGUAGES } from '../locales/language.ts';
import { explain } from './explain.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** What `explain` prints. */
async function printed(subject: string, lang: (typeof LANGUAGES)[number]): Promise<string> {
  let text = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk, ...rest) => {
    text += chunk.toString();
    for (const callback of rest) if (typeof callback === 'function') callback();
    return true;
  });
  await explain(subject, { lang, color: false, format: 'text' });
  return text;
}

const rows = checks.flatMap(({ id, rules }) =>
  LANGUAGES.map((language) => ({ id, language, names: Object.keys(rules) })),
);

describe('explain', () => {
  it.each(rows)('every finding of $id in $language', async ({ id, language, names }) => {
    for (const name of names) {
      const text = await printed(`${id}/${name}`, language);
      expect(text.startsWith(`# ${id}/${name}\n`)).toBe(true);
      // Every heading has a text.
      expect(text).not.toMatch(/^## .*\n\n(?:## |$)/m);
    }
  });
});
