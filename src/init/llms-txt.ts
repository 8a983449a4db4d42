/** Writes an agent index (llmstxt.org) for a site in a folder, from its navigation or, without one, its home page. */
import path from 'node:path';
import type { Json } from '../core/answer.ts';
import { linksOf, type EngineSettings } from '../engines/engine.ts';
import { engineOf } from '../engines/index.ts';
import { hrefOfPath, isMarkdownPath } from '../engines/link.ts';
import { parseMarkdown, type MarkdownFacts } from '../parse/markdown.ts';
import { candidates, configurationOf } from '../site/settings.ts';
import { readText } from './detect.ts';

const BASE = new URL('https://site.invalid/');
const MOST_PAGES = 500;
const PARSE_MS = 5_000;

/** The text of `llms.txt`, and how many pages it lists; `null`: neither the navigation nor the home page names any. */
export async function llmsTxtOf(folder: string): Promise<{ readonly text: string; readonly pages: number } | null> {
  const bundle = (await readText(path.join(folder, 'index.html'))) ?? '';
  const { profile } = engineOf(bundle, null);
  const configuration = configurationOf((await readText(path.join(folder, 'config.json'))) ?? '');
  const own = await profile.configure({
    bundle,
    configuration,
    limits: { parseMs: PARSE_MS },
    script: async (address) => {
      const name = nameOf(URL.parse(address, BASE.href));
      return name === null ? null : readText(path.join(folder, name));
    },
  });
  const { homePage, navigationFile } = own.settings;
  const home = await readPage(folder, homePage ?? profile.files.homePage);
  const menu = navigationFile === null ? null : await readPage(folder, navigationFile ?? profile.files.navigationFile);
  const pages = await pagesOf(folder, [menu, home], own);
  if (pages.length === 0) return null;
  const title = text(configuration['title']) ?? titleOf(home) ?? titleOf(menu) ?? path.basename(path.resolve(folder));
  const summary = summaryOf(home?.text ?? '') ?? title;
  const items = pages.map(({ path: page, title: name }) => `- [${escaped(name)}](${hrefOfPath(page)})`);
  return { text: `# ${title}\n\n> ${summary}\n\n## Pages\n\n${items.join('\n')}\n`, pages: pages.length };
}

interface Page {
  readonly path: string;
  readonly text: string;
  readonly facts: MarkdownFacts;
}

const text = (value: Json | undefined): string | null =>
  typeof value === 'string' && value.trim() !== '' ? oneLine(value) : null;

/** The name of a file below the folder; `null`: it is elsewhere. */
const nameOf = (url: URL | null | undefined): string | null =>
  url?.origin === BASE.origin ? decodeURIComponent(url.pathname.slice(1)) : null;

async function readPage(folder: string, name: string): Promise<Page | null> {
  const page = nameOf(candidates(name, BASE)[0]);
  if (page === null) return null;
  const written = await readText(path.join(folder, page));
  if (written === null) return null;
  const facts = await parseMarkdown(written, { limitMs: PARSE_MS });
  return facts.ok ? { path: page, text: written, facts } : null;
}

/** The pages that the menu links to, else those that the home page does; only files that exist, each once. */
async function pagesOf(folder: string, roots: readonly (Page | null)[], { links }: EngineSettings) {
  for (const root of roots) {
    if (root === null) continue;
    const found = new Map<string, { readonly path: string; readonly title: string }>();
    for (const written of linksOf(root.facts, links, false)) {
      const place = { path: root.path, base: BASE, home: '', menu: true };
      const link = links.resolve(written, place);
      if (link.kind !== 'page' || found.size === MOST_PAGES) continue;
      const names = [link.path, ...(link.others ?? []).map((other) => other.path)];
      for (const name of names.filter((one): one is string => one !== null && isMarkdownPath(one))) {
        if (found.has(name)) break;
        const page = await readPage(folder, hrefOfPath(name));
        if (page === null) continue;
        found.set(name, { path: name, title: titleOf(page) ?? path.posix.basename(name, path.posix.extname(name)) });
        break;
      }
    }
    if (found.size > 0) return [...found.values()];
  }
  return [];
}

function titleOf(page: Page | null): string | null {
  const first = page?.facts.headings.find(({ depth }) => depth === 1) ?? page?.facts.headings[0];
  return first === undefined || first.text === '' ? null : oneLine(first.text);
}

/** The first paragraph of plain words. */
function summaryOf(written: string): string | null {
  const paragraph = written
    .split(/(?:\r?\n[ \t]*){2,}/)
    .find((one) => /^[\p{L}\p{N}][^\n]{20,}/u.test(one) && !/^\S+\n[=-]{3,}/.test(one));
  const words = paragraph?.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[*_`]|<[^>]*>/g, '');
  return words === undefined ? null : oneLine(words).slice(0, 300);
}

const oneLine = (written: string): string => written.replaceAll(/\s+/g, ' ').trim();

const escaped = (title: string): string => title.replaceAll(/[[\]\\]/g, String.raw`\$&`);
