/** The README's generated parts, between `<!-- name -->` and `<!-- /name -->`. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';

export const ROOT = path.join(import.meta.dirname, '..', '..');
const README = path.join(ROOT, 'README.md');

/** Their examples need a monitor's configuration and database. */
export const MONITOR_COMMANDS: readonly string[] = [
  'monitor',
  'status',
  'incidents',
  'history',
  'maintenance',
  'alert',
  'drill',
  'example',
];

export const readme = (): string => readFileSync(README, 'utf8');

/** The contents of the fenced blocks of a language. */
export const blocks = (language: string): string[] =>
  [...readme().matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, text]) => text ?? '');

/** Durations differ from run to run, and the time of day. */
const steady = (text: string): string =>
  text
    .replaceAll(/ *\d[\d.,]*\s(ms|s)\b/g, ' 0 $1')
    .replaceAll(/"(\w+Ms)": [\d.]+/g, '"$1": 0')
    .replaceAll(/"receivedBytes": \d+/g, '"receivedBytes": 0')
    .replaceAll(/"startedAt": "[^"]+"/g, '"startedAt": ""');

/** The columns of a table are as wide as what stands in them. */
export const narrow = (text: string): string => text.replaceAll(/ {2,}/g, '  ');

/**
 * Compares a generated part, in a fence of a language unless that is empty; writes it again when asked to. `alike`: what
 * else may differ from run to run.
 */
export function expectPart(name: string, language: string, text: string, alike = (part: string): string => part): void {
  const same = (part: string): string => alike(steady(part));
  const fence = language === '' ? text : `\`\`\`${language}\n${text}\`\`\`\n`;
  const wanted = `<!-- ${name} -->\n${fence}<!-- /${name} -->`;
  const pattern = new RegExp(`<!-- ${name} -->\n[^]*?<!-- /${name} -->`);
  const now = readme();
  if (process.env['UPDATE_README'] === '1' && same(now.match(pattern)?.[0] ?? '') !== same(wanted)) {
    writeFileSync(
      README,
      now.replace(pattern, () => wanted),
    );
  }
  expect(same(readme().match(pattern)?.[0] ?? '')).toBe(same(wanted));
}
