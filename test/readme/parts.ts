/** The README's generated parts, between `<!-- name -->` and `<!-- /name -->`. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';

export const ROOT = path.join(import.meta.dirname, '..', '..');
const README = path.join(ROOT, 'README.md');

export const readme = (): string => readFileSync(README, 'utf8');

/** The contents of the fenced blocks of a language. */
export const blocks = (language: string): string[] =>
  [...readme().matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, text]) => text ?? '');

/** Durations differ from run to run, and the time of day. */
const steady = (text: string): string =>
  text
    .replaceAll(/ *\d[\d.,]*\s(ms|s)\b/g, ' 0 $1')
    .replaceAll(/"(\w+Ms)": [\d.]+/g, '"$1": 0')
    .replaceAll(/"startedAt": "[^"]+"/g, '"startedAt": ""');

/** Compares a generated part, in a fence of a language unless that is empty; writes it anew when asked to. */
export function expectPart(name: string, language: string, text: string): void {
  const fence = language === '' ? text : `\`\`\`${language}\n${text}\`\`\`\n`;
  const pattern = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`);
  const now = readme();
  if (process.env['UPDATE_README'] === '1' && steady(now.match(pattern)?.[0] ?? '') !== steady(fence)) {
    writeFileSync(
      README,
      now.replace(pattern, (_whole, start: string, end: string) => `${start}${fence}${end}`),
    );
  }
  expect(steady(readme().match(pattern)?.[0] ?? '')).toBe(steady(`<!-- ${name} -->\n${fence}<!-- /${name} -->`));
}
