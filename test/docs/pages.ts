/** The hand-written pages in English, and their generated parts, between `<!-- name -->` and `<!-- /name -->`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';

export const ROOT = path.join(import.meta.dirname, '..', '..');
const DOCS = path.join(ROOT, 'docs');

/** The address in examples. */
export const EXAMPLE = 'https://docs.example.com/';

/** Languages of the translations, each in its own folder of `docs`. */
export const TRANSLATIONS = ['ro', 'fr'] as const;

/** The README and all pages, by their paths in the repository. The menu of the site has only links. */
export const PAGES: readonly string[] = [
  'README.md',
  ...readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => file.endsWith('.md') && !file.endsWith('navigation.md'))
    .filter((file) => !TRANSLATIONS.some((language) => file.startsWith(`${language}/`)))
    .map((file) => `docs/${file}`)
    .toSorted(),
];

/** The generated parts of each page. */
export const PARTS: Readonly<Record<string, readonly string[]>> = {
  'README.md': ['checks', 'action'],
  'docs/getting-started.md': ['output'],
  'docs/concepts.md': ['checks', 'full-checks'],
  'docs/engines.md': ['engines', 'real-sites'],
  'docs/performance.md': ['speed', 'growth'],
  'docs/guides/github.md': [
    'action',
    'workflow-pages',
    'workflow-push',
    'workflow-deployment-status',
    'workflow-dispatch',
    'workflow-nightly',
  ],
  'docs/guides/monitor.md': ['monitor-log', 'status'],
  'docs/guides/running.md': ['examples'],
  'docs/guides/incidents.md': ['incidents'],
  'docs/guides/notifications.md': ['webhook'],
  'docs/guides/history.md': ['history'],
  'docs/guides/recovery-drill.md': ['drill'],
};

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

export const textOf = (page: string): string => readFileSync(path.join(ROOT, page), 'utf8');

/** The contents of a page's fenced blocks of a language, or of all pages, each text once. */
export function blocks(language: string, page?: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm');
  const pages = page === undefined ? PAGES : [page];
  return [...new Set(pages.flatMap((one) => [...textOf(one).matchAll(fence)].map(([, text]) => text ?? '')))];
}

/** Durations differ from run to run, and the time of day. */
const steady = (text: string): string =>
  text.replaceAll(/ *\d[\d.,]*\s(ms|s)\b/g, ' 0 $1').replaceAll(/"(\w+Ms)": [\d.]+/g, '"$1": 0');

/** The columns of a table are as wide as their content. */
export const narrow = (text: string): string => text.replaceAll(/ {2,}/g, '  ');

export const isUpdate = process.env['UPDATE_DOCS'] === '1';

/**
 * Compares a generated part of a page, in a fence of a language unless that is empty; `UPDATE_DOCS=1` writes it again.
 * `alike`: what else may differ from run to run.
 */
export function expectPart(page: string, name: string, { language = '', text, alike = (part) => part }: Part): void {
  expect(PARTS[page]).toContain(name);
  const same = (part: string): string => alike(steady(part));
  const fence = language === '' ? text : `\`\`\`${language}\n${text}\`\`\`\n`;
  const wanted = `<!-- ${name} -->\n${fence}<!-- /${name} -->`;
  const pattern = new RegExp(`<!-- ${name} -->\n[^]*?<!-- /${name} -->`);
  const now = textOf(page);
  if (isUpdate && same(now.match(pattern)?.[0] ?? '') !== same(wanted)) {
    writeFileSync(
      path.join(ROOT, page),
      now.replace(pattern, () => wanted),
    );
  }
  expect(same(textOf(page).match(pattern)?.[0] ?? '')).toBe(same(wanted));
}

interface Part {
  readonly language?: string;
  readonly text: string;
  readonly alike?: (part: string) => string;
}
