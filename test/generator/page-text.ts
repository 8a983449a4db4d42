/** Writes the pages of a generated site. */
import GithubSlugger from 'github-slugger';
import { encodedPath, relativePath, writeLink, type LinkForm, type LinkPlace, type LinkTarget } from './link-forms.ts';
import { random, type Random } from './random.ts';
import { WORDS, type Language, type Words } from './words.ts';

/** One page to write. */
export interface PageDraft extends LinkPlace {
  readonly language: Language;
  /** Seeds what the page is made of: the same in all languages, so that they have one skeleton. */
  readonly seed: string;
  readonly title: number;
  readonly links: readonly { readonly target: LinkTarget; readonly form: LinkForm }[];
  /** Paths of pictures, relative to the site's base. */
  readonly pictures: readonly string[];
  readonly download: string;
}

/** The sections that a page has, as indexes into the words. */
function sectionsOf(seed: string): readonly number[] {
  const drawn = random(`sections ${seed}`);
  return drawn.shuffled([0, 1, 2, 3, 4]).slice(0, 2 + drawn.int(3));
}

/** An anchor that the page has: a heading's, as GitHub makes it, or one of its raw HTML. */
export function anchorIn(seed: string, language: Language, drawn: Random): string {
  const headings = sectionsOf(seed).map((at) => WORDS[language].sections[at] ?? '');
  const slugger = new GithubSlugger();
  return drawn.pick([...headings.map((heading) => slugger.slug(heading.replaceAll('`', ''))), 'spot']);
}

export function pageText(draft: PageDraft): string {
  const words = WORDS[draft.language];
  const drawn = random(`page ${draft.seed}`);
  const written = draft.links.map(({ target, form }) => writeLink(form, target, draft));
  const definitions = new Set(written.flatMap(({ definition }) => definition ?? []));
  const sections = sectionsOf(draft.seed).map((section) => [
    `## ${words.sections[section]}`,
    paragraph(words, drawn),
    ...special(words, drawn, draft),
  ]);
  return `${[
    `${opening(words, drawn, draft)}# ${words.titles[draft.title]}`,
    `<a id="spot"></a>`,
    paragraph(words, drawn),
    ...sections.flat(),
    paragraph(words, drawn),
    ...inPlaces(
      written.map(({ markdown }) => markdown),
      drawn,
    ),
    // Ends the list, so that what is indented below is code.
    words.sentences[draft.title % words.sentences.length] ?? '',
    ...decoys(words, drawn),
    ...definitions,
  ].join('\n\n')}\n`;
}

function paragraph({ sentences }: Words, drawn: Random): string {
  const first = drawn.int(sentences.length);
  return [0, 1, 2, 3, 4].map((at) => sentences[(first + at) % sentences.length]).join(' ');
}

/** What stands above the title of some pages. */
function opening(words: Words, drawn: Random, draft: PageDraft): string {
  const [picture = ''] = draft.pictures;
  const above = [
    '',
    '',
    `---\ntitle: "${words.titles[draft.title]}"\nrelated: [decoy/front-matter.md]\n---\n\n`,
    `<div align="center">\n  <img src="${encodedPath(relativePath(draft.from, picture))}" alt="" width="64">\n</div>\n\n`,
    `<!-- ${words.manual}: decoy/opening.md -->\n\n`,
  ];
  return drawn.pick(above);
}

/** A picture, a table, code or a quotation. */
function special(words: Words, drawn: Random, draft: PageDraft): string[] {
  const picture = relativePath(draft.from, drawn.pick(draft.pictures));
  const [first, second, third] = [drawn.int(90), drawn.int(60), drawn.int(9)];
  return drawn.pick([
    [`![${words.manual}](${encodedPath(picture)})`],
    [`![${words.manual}](<${picture}> "${words.manual}")`],
    [`<img alt="" src="${encodedPath(picture)}" loading="lazy">`],
    [`[![${words.manual}](${encodedPath(picture)})](${encodedPath(relativePath(draft.from, draft.download))})`],
    [
      `| ${words.label} | ${words.contents} |\n| :--- | ---: |\n| \`lamp.height\` | ${first} |\n| \`lamp.turns\` | ${second} |`,
    ],
    [`\`\`\`yaml\nlamp:\n  height: ${first}\n  turns: ${third}\n\`\`\``],
    [`> ${words.sentences[third % words.sentences.length]}`],
  ]);
}

/** Puts links into lists, sentences, quotations and tables. */
function inPlaces(links: readonly string[], drawn: Random): string[] {
  const [first, second, third, ...others] = links;
  return [
    ...(first === undefined ? [] : [`${drawn.pick(['→ ', '**', ''])}${first}`.replace(/^\*\*(.*)$/s, '**$1**')]),
    ...(second === undefined ? [] : [`> ${second}, …`]),
    ...(third === undefined ? [] : [`| ✓ | ✗ |\n| --- | --- |\n| ${third} | — |`]),
    ...(others.length === 0 ? [] : [others.map((link, at) => `${'  '.repeat(Math.min(at, 1))}- ${link}`).join('\n')]),
  ];
}

/** What looks like a link and is none, or leads away from the site. */
function decoys({ contents }: Words, drawn: Random): string[] {
  const all = [
    `\`\`\`md\n[${contents}](decoy/fence.md)\n<a href="#/decoy/fence.md">x</a>\n\`\`\``,
    `~~~\n[${contents}]: decoy/tildes.md\n~~~`,
    `    [${contents}](decoy/indented.md)`,
    `\`[${contents}](decoy/inline.md)\` · \`\`[x]: #/decoy/twice.md \` \`\``,
    `<!-- [${contents}](decoy/comment.md) -->`,
    `<!--\n- [${contents}](#/decoy/long-comment.md)\n\n<a href="decoy/long-comment.md">x</a>\n-->`,
    `<script>\n  const page = '<a href="#/decoy/script.md">';\n</script>`,
    `\\[${contents}\\](decoy/escaped.md)`,
    `[${contents}][decoy nowhere] [^1]`,
    `[${contents}](javascript:void(0)) · <keeper@example.com> · [☎](tel:+40212345678) · [✉](mailto:keeper@example.com)`,
    `[${contents}](https://example.com/decoy/outside.md)`,
  ];
  return drawn.shuffled(all).slice(0, 4);
}
