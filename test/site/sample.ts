/** A believable documentation site: fifty pages in each of three languages, made from compact tables, always the same. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { APP_JS, BRIDGE_PNG, INDEX_HTML, LOGO_SVG, MANUAL_WOFF2, STYLE_CSS } from './engine.ts';
import { LABELS, LANGUAGES, SENTENCES } from './prose.ts';
import type { Language } from './prose.ts';
import { SECTIONS } from './topics.ts';
import type { Section, Topic } from './topics.ts';

/** Path relative to the site's base (`ro/navigation.md`) → content. */
export type SiteFiles = ReadonlyMap<string, Uint8Array | string>;

const PREFIX: Readonly<Record<Language, string>> = { en: '', ro: 'ro/', fr: 'fr/' };

const pagePath = (topic: Topic, language: Language): string =>
  `${PREFIX[language]}${topic.section}/${topic.name[language]}.md`;

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** Small numbers that look arbitrary but never change (the 32-bit FNV-1a hash of the seed, then an LCG). */
function* numbers(seed: string): Generator<number, never> {
  let state = 0x811c9dc5;
  for (const unit of Buffer.from(seed)) state = Math.imul(state ^ unit, 0x01000193) >>> 0;
  for (;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state >>> 8;
  }
}

function paragraph(topic: Topic, language: Language, numbersLeft: Generator<number, never>, length: number): string {
  const sentences = SENTENCES[language];
  const start = numbersLeft.next().value;
  return Array.from({ length }, (_, index) => {
    const sentence = sentences[(start + index * 5) % sentences.length] ?? '';
    return sentence
      .replace('{page}', topic.title[language])
      .replace('{n}', String(2 + (numbersLeft.next().value % 11)));
  }).join(' ');
}

/** What stands above some pages' title: all of it healthy, all of it a trap for naive judges. */
function opening(topic: Topic, language: Language, index: number): string {
  const up = language === 'en' ? '../' : '../../';
  if (index % 7 === 1)
    return `---\ntitle: "${topic.title[language]}"\nsection: ${topic.section}\ntags: [manual, ${language}]\n---\n\n`;
  if (index % 7 === 3)
    return `<div align="center">\n  <img src="${up}assets/logo.svg" alt="Tidewater" width="64">\n</div>\n\n`;
  if (index % 7 === 5) return `<!-- ${LABELS[language].manual}: ${topic.name[language]} -->\n\n`;
  return '';
}

function page(topic: Topic, language: Language, index: number, siblings: readonly Topic[]): string {
  const labels = LABELS[language];
  const up = language === 'en' ? '../' : '../../';
  const left = numbers(`${language}/${topic.section}/${topic.name.en}`);
  const values = [left.next().value % 60, left.next().value % 30, left.next().value % 9].map((value) => value + 1);
  const rows = ['interval', 'buffer', 'step'].map(
    (name, row) => `| \`${topic.section}.${name}\` | ${values[row]} | ${labels.meanings[row]} |`,
  );
  const links = siblings
    .filter((sibling) => sibling !== topic)
    .map((sibling) => `- [${sibling.title[language]}](<${sibling.name[language]}.md>)`);
  return [
    `${opening(topic, language, index)}# ${topic.title[language]}`,
    paragraph(topic, language, left, 4),
    `## ${labels.before}`,
    paragraph(topic, language, left, 3),
    paragraph(topic, language, left, 3),
    `## ${labels.settings}`,
    [`| ${labels.setting} | ${labels.fallback} | ${labels.meaning} |`, '| :--- | ---: | :--- |', ...rows].join('\n'),
    paragraph(topic, language, left, 3),
    ...(index % 4 === 2 ? [`![${labels.picture}](${up}assets/bridge.png)`] : []),
    `## ${labels.example}`,
    `\`\`\`sh\ntidewater ${topic.section} --interval ${values[0]} --buffer ${values[1]}d\n\`\`\``,
    paragraph(topic, language, left, 2),
    `## ${labels.seeAlso}`,
    [...links, `- [${labels.manual}](../index.md)`].join('\n'),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

/** The three forms of hash routes, in turn. */
const route = (path: string, index: number): string => ['#/', '#!', '#'][index % 3] + encoded(path);

function navigation(language: Language): string {
  const labels = LABELS[language];
  const prefix = PREFIX[language];
  const sections = SECTIONS.map((section) =>
    [
      `## ${section.title[language]}`,
      '',
      `- [${section.title[language]}](#/${prefix}${section.folder}/)`,
      ...section.topics.map(
        (topic, index) => `  - [${topic.title[language]}](${route(pagePath(topic, language), index)})`,
      ),
    ].join('\n'),
  );
  return [
    `# ${labels.manual}`,
    `- [${labels.manual}][home]\n- <a href="#/${prefix}start/">${SECTIONS[0]?.title[language]}</a>`,
    `<!-- [Tide tables](#/${prefix}drafts/tide-tables.md) ${labels.draft} -->`,
    ...sections,
    `\`[Tide tables](#/${prefix}drafts/tide-tables.md)\``,
    `[home]: #/${prefix}index.md\n`,
  ].join('\n\n');
}

function folderIndex(section: Section, language: Language): string {
  const links = section.topics.map((topic) => `- [${topic.title[language]}](<${topic.name[language]}.md>)`);
  return `# ${section.title[language]}\n\n${SENTENCES[language][4]}\n\n${links.join('\n')}\n`;
}

function homePage(language: Language): string {
  const labels = LABELS[language];
  const links = SECTIONS.map((section) => `- [${section.title[language]}](${section.folder}/)`);
  return `# Tidewater\n\n${labels.welcome}\n\n${SENTENCES[language].slice(1, 6).join(' ').replaceAll('{n}', '4')}\n\n${links.join('\n')}\n`;
}

function llmsTxt(): string {
  const sections = SECTIONS.map(
    (section) =>
      `## ${section.title.en}\n\n${section.topics.map((topic) => `- [${topic.title.en}](/${encoded(pagePath(topic, 'en'))})`).join('\n')}`,
  );
  return `# Tidewater\n\n> ${LABELS.en.welcome}\n\n${sections.join('\n\n')}\n`;
}

function configJson(): string {
  const locales = LANGUAGES.map((code) => ({
    code,
    label: LABELS[code].language,
    isDefault: code === 'en',
    prefix: PREFIX[code].replace(/\/$/, ''),
  }));
  const config = {
    title: 'Tidewater',
    homePage: 'index.md',
    navigationFile: 'navigation.md',
    llmsTxtUrl: '/llms.txt',
    locales,
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** The whole site, about 160 files. A new map each time, in a stable order. */
export function sampleSite(): Map<string, Uint8Array | string> {
  const site = new Map<string, Uint8Array | string>([
    ['index.html', INDEX_HTML],
    ['config.json', configJson()],
    ['app.js', APP_JS],
    ['style.css', STYLE_CSS],
    ['assets/logo.svg', LOGO_SVG],
    ['assets/bridge.png', BRIDGE_PNG],
    ['assets/manual.woff2', MANUAL_WOFF2],
    ['llms.txt', llmsTxt()],
    ['robots.txt', 'User-agent: *\nAllow: /\n\n# Agents: see /llms.txt\n'],
  ]);
  for (const language of LANGUAGES) {
    site.set(`${PREFIX[language]}index.md`, homePage(language));
    site.set(`${PREFIX[language]}navigation.md`, navigation(language));
    for (const [at, section] of SECTIONS.entries()) {
      site.set(`${PREFIX[language]}${section.folder}/index.md`, folderIndex(section, language));
      for (const [index, topic] of section.topics.entries()) {
        site.set(pagePath(topic, language), page(topic, language, at * 5 + index, section.topics));
      }
    }
  }
  return site;
}

/** Writes the site below `dir`, making folders as needed. */
export function writeSite(site: SiteFiles, dir: string): void {
  for (const [path, content] of site) {
    const file = join(dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}
