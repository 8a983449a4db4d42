/** The hand-written pages, and their generated parts, between `<!-- name -->` and `<!-- /name -->`. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Language } from '../../src/locales/language.ts';
import { inLanguage, TRANSLATIONS } from './languages.ts';

export const ROOT = path.join(import.meta.dirname, '..', '..');
const DOCS = path.join(ROOT, 'docs');

/** The address in examples. */
export const EXAMPLE = 'https://docs.example.com/';

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
  'docs/library.md': ['values', 'types'],
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

/** Durations differ from run to run. French groups the digits of thousands by a narrow space. */
const steady = (text: string): string =>
  text.replaceAll(/ *\d[\d.,\u202F]*\s(ms|s)\b/g, ' 0 $1').replaceAll(/"(\w+Ms)": [\d.]+/g, '"$1": 0');

/** The columns of a table are as wide as their content. */
export const narrow = (text: string): string => text.replaceAll(/ {2,}/g, '  ');

export const isUpdate = process.env['UPDATE_DOCS'] === '1';

/**
 * Compares a generated part of a page, and of its translations; `UPDATE_DOCS=1` writes them again. `make`: what the part
 * shows in a language.
 */
export async function expectPart(
  page: string,
  name: string,
  make: (language: Language) => Part | Promise<Part>,
): Promise<void> {
  expect(PARTS[page]).toContain(name);
  for (const language of ['en', ...TRANSLATIONS] as const) {
    const file = inLanguage(page, language);
    const isMissing = language !== 'en' && (file === page || !existsSync(path.join(ROOT, file)));
    if (!isMissing) expectOne(file, name, await make(language));
  }
}

/** A generated part. */
interface Part {
  /** Of its fence. Default: no fence. */
  readonly fence?: string;
  readonly text: string;
  /** What else may differ from run to run. */
  readonly alike?: (part: string) => string;
}

function expectOne(file: string, name: string, { fence = '', text, alike = (part) => part }: Part): void {
  const same = (part: string): string => alike(steady(part));
  const fenced = fence === '' ? text : `\`\`\`${fence}\n${text}\`\`\`\n`;
  const wanted = `<!-- ${name} -->\n${fenced}<!-- /${name} -->`;
  const pattern = new RegExp(`<!-- ${name} -->\n[^]*?<!-- /${name} -->`);
  const now = textOf(file);
  if (isUpdate && same(now.match(pattern)?.[0] ?? '') !== same(wanted)) {
    writeFileSync(
      path.join(ROOT, file),
      now.replace(pattern, () => wanted),
    );
  }
  expect({ file, part: same(textOf(file).match(pattern)?.[0] ?? '') }).toEqual({ file, part: same(wanted) });
}
