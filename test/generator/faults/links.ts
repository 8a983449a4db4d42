/** Links that lead nowhere, in every form, and why. */
import { posix } from 'node:path';
import type { Deployment } from '../deployment.ts';
import { FOLDER_FORM_NAMES, PAGE_FORM_NAMES, writeLink, type LinkForm } from '../link-forms.ts';
import type { Random } from '../random.ts';
import { addressOf } from '../site.ts';
import {
  addPage,
  append,
  fault,
  otherCase,
  plainPages,
  type Fault,
  type FaultOptions,
  type SeededFinding,
} from './fault.ts';

const ONE_LANGUAGE: FaultOptions = { site: { languages: ['en'], pages: 12, depth: 2 } };

/** A link to add. */
interface NewLink {
  /** Where it leads: a path relative to the base. */
  readonly path: string;
  /** What it means, where that is there. */
  readonly meant?: string;
  /** Forms that it may take; all for pages where not given. */
  readonly forms?: readonly LinkForm[];
  /** The file that holds it; any where not given. */
  readonly from?: string;
  readonly anchor?: string;
}

/** A file that links may be added to: a page, the home page or the navigation. */
function somewhere(deployment: Deployment, drawn: Random): string {
  const { site } = deployment;
  return drawn.pick([...plainPages(deployment).map(({ path }) => path), 'index.md', site.navigation]);
}

/** Adds a link and says what has to be found. */
function addLink(deployment: Deployment, drawn: Random, code: string, link: NewLink): SeededFinding {
  const { path, meant, forms = PAGE_FORM_NAMES, anchor } = link;
  const drawnFrom = link.from ?? somewhere(deployment, drawn);
  // No link is taken for one to the page that holds it, unless only the spelling differs.
  const from = drawnFrom === meant ? deployment.site.navigation : drawnFrom;
  const target = { path, text: 'zz', ...(anchor === undefined ? {} : { anchor }) };
  const place = { from, address: addressOf(deployment.site.options) };
  const { markdown, definition } = writeLink(drawn.pick(forms), target, place);
  const paragraph = `→ ${markdown}${definition === undefined ? '' : `\n\n${definition}`}`;
  return { check: 'links', code, location: append(deployment, from, paragraph, markdown), suggestion: meant };
}

/** One link, made for the site. */
function wrongLink(
  name: string,
  code: string,
  link: (deployment: Deployment, drawn: Random) => NewLink,
  options: FaultOptions = {},
): Fault {
  const seed: Fault['seed'] = (deployment, drawn) => addLink(deployment, drawn, code, link(deployment, drawn));
  return fault(name, { links: [code] }, seed, { ...ONE_LANGUAGE, ...options });
}

/** What is found of one link as it is written. */
interface WrittenOptions extends FaultOptions {
  readonly suggestion?: string;
}

/** One link as it is written, from any file. */
function written(
  name: string,
  code: string,
  markdown: (from: string, drawn: Random) => string,
  { suggestion, ...options }: WrittenOptions = {},
): Fault {
  const seed: Fault['seed'] = (deployment, drawn) => {
    const from = somewhere(deployment, drawn);
    const paragraph = markdown(from, drawn);
    const [link = ''] = paragraph.split('\n');
    const location = append(deployment, from, `→ ${paragraph}`, link);
    return { check: 'links', code, location, ...(suggestion === undefined ? {} : { suggestion }) };
  };
  return fault(name, { links: [code] }, seed, { ...ONE_LANGUAGE, ...options });
}

const anyPage = (deployment: Deployment, drawn: Random): string => drawn.pick(plainPages(deployment)).path;

/** A page that can be spelled in another letter case. */
function spelledPage(deployment: Deployment, drawn: Random): string {
  const pages = deployment.site.pages.map(({ path }) => path).filter((path) => path !== 'index.md');
  return drawn.pick(pages.filter((path) => otherCase(posix.basename(path, '.md')) !== posix.basename(path, '.md')));
}

const missing = [...PAGE_FORM_NAMES, ...FOLDER_FORM_NAMES].map((form) =>
  wrongLink(`a page that is not there, as ${form}`, 'missing', () => ({
    path: form.startsWith('folder') ? 'zz-unwritten/index.md' : 'zz-unwritten/zz-page.md',
    forms: [form],
  })),
);

const spellings: readonly Fault[] = [
  wrongLink('the letter case of a name', 'letter-case', (deployment, drawn) => {
    const meant = spelledPage(deployment, drawn);
    return { path: posix.join(posix.dirname(meant), `${otherCase(posix.basename(meant, '.md'))}.md`), meant };
  }),
  wrongLink('the letter case of an extension', 'letter-case', (deployment, drawn) => {
    const meant = spelledPage(deployment, drawn);
    return { path: meant.replace(/md$/, 'MD'), meant };
  }),
  wrongLink('the letter case of a folder', 'letter-case', (deployment) => ({
    meant: addPage(deployment, 'harbour/pier.md'),
    path: 'Harbour/pier.md',
  })),
  wrongLink('no extension', 'missing-extension', (deployment, drawn) => {
    const meant = anyPage(deployment, drawn);
    return { path: meant.replace(/\.md$/, ''), meant, forms: ['relative', 'angle', 'absolute-file', 'html'] };
  }),
  ...['html', 'markdown', 'mdx', 'txt'].map((extension) =>
    wrongLink(`the extension .${extension}`, 'wrong-extension', (deployment, drawn) => {
      const meant = anyPage(deployment, drawn);
      return { path: meant.replace(/md$/, extension), meant, forms: ['relative'] };
    }),
  ),
  wrongLink('another folder', 'moved', (deployment, drawn) => {
    const meant = anyPage(deployment, drawn);
    return { path: `zz-old/${posix.basename(meant)}`, meant };
  }),
  wrongLink('a hash route that starts at the folder of its page', 'moved', (deployment, drawn) => {
    const meant = drawn.pick(plainPages(deployment).filter(({ path }) => path.includes('/'))).path;
    const from = addPage(deployment, `${posix.dirname(meant)}/zz-beside.md`);
    return { path: posix.basename(meant), meant, from, forms: ['hash-slash', 'hash-bang', 'hash-plain'] };
  }),
  wrongLink(
    'a language prefix given twice',
    'moved',
    (deployment, drawn) => {
      const page = anyPage(deployment, drawn);
      return {
        path: `ro/ro/${page}`,
        meant: `ro/${page}`,
        from: `ro/${deployment.site.navigation}`,
        forms: ['relative', 'angle'],
      };
    },
    { site: { languages: ['en', 'ro'], pages: 10, depth: 1 } },
  ),
  wrongLink('a letter too few', 'missing', (deployment) => ({
    meant: addPage(deployment, 'harbour-lights.md'),
    path: 'harbor-lights.md',
  })),
  wrongLink('a page that is a folder', 'folder-index', (deployment) => ({
    meant: addPage(deployment, 'zz-harbour/index.md'),
    path: 'zz-harbour.md',
  })),
  wrongLink('a folder that has a README.md', 'folder-index', (deployment) => ({
    meant: addPage(deployment, 'zz-harbour/README.md'),
    path: 'zz-harbour/index.md',
    forms: FOLDER_FORM_NAMES,
  })),
  wrongLink('decomposed letters', 'unicode-form', (deployment) => {
    const meant = addPage(deployment, 'forêt près.md');
    return { path: meant.normalize('NFD'), meant };
  }),
  wrongLink('encoded twice', 'encoding', (deployment) => ({
    meant: addPage(deployment, 'two words.md'),
    path: 'two%20words.md',
    forms: ['relative', 'hash-slash', 'absolute-file'],
  })),
];

const targets: readonly Fault[] = [
  written('a picture', 'missing-image', () => '![zz](zz-none.png)'),
  written('a picture in raw HTML', 'missing-image', () => '<img src="zz-none.svg" alt="">'),
  written('a picture by reference', 'missing-image', () => '![zz][zz]\n\n[zz]: zz-none.jpg'),
  wrongLink('a file to download', 'missing-file', () => ({
    path: 'assets/zz-none.pdf',
    forms: ['relative', 'angle', 'html', 'absolute-file'],
  })),
  wrongLink('a heading that is not there', 'missing-anchor', (deployment, drawn) => ({
    path: anyPage(deployment, drawn),
    anchor: 'zz-nothing',
  })),
  wrongLink('a heading that is not there, on the same page', 'missing-anchor', (deployment, drawn) => {
    const path = anyPage(deployment, drawn);
    return { path, from: path, anchor: 'zz-nothing' };
  }),
];

const mistakes: readonly Fault[] = [
  written('above the site', 'missing', (from) => `[zz](${'../'.repeat(from.split('/').length)}zz-above.md)`, {
    site: { ...ONE_LANGUAGE.site, base: '/docs/' },
  }),
  written('far above the origin', 'missing', () => '[zz](../../../../../../../../etc/passwd.md)'),
  written('encoded dots', 'encoded-dot', (_, drawn) => `[zz](${drawn.pick(['%2e%2e', '%2E%2E', '.%2e'])}/zz-above.md)`),
  ...['htps://zz.example', 'https:/zz.example', 'https:*//zz.example'].map((address) =>
    written(`the address ${address}`, 'misspelled-scheme', () => `[zz](${address})`, {
      suggestion: 'https://zz.example',
    }),
  ),
  written('a backslash', 'backslash', () => '[zz](<zz-folder\\zz-page.md>)'),
];

const unlinked = fault(
  'a page that only the agent index knows',
  { links: ['unlinked'] },
  (deployment) => {
    deployment.files.set('zz-alone.md', `# Alone\n\n${'Nobody links here. '.repeat(70)}\n`);
    append(deployment, 'llms.txt', '- [Alone](zz-alone.md): nobody links here');
  },
  ONE_LANGUAGE,
);

const external = fault(
  'a page of another part of the origin',
  { links: ['external-missing'] },
  (deployment, drawn) => {
    const { path } = drawn.pick(plainPages(deployment));
    const link = `[Blog](${deployment.site.options.origin}/blog/zz-none.html)`;
    return { check: 'links', code: 'external-missing', location: append(deployment, path, `→ ${link}`, link) };
  },
  { site: { ...ONE_LANGUAGE.site, base: '/docs/' }, wants: () => Promise.resolve({ external: true }) },
);

/** Every place that links to it is wrong at once, and is reported as one. */
const renamed = fault(
  'a page that was moved',
  { links: ['moved'] },
  (deployment, drawn) => {
    const meant = addPage(deployment, 'dock/pier.md');
    const links = Array.from({ length: 3 }, () =>
      addLink(deployment, drawn, 'moved', { path: 'harbour/pier.md', meant }),
    );
    return drawn.pick(links);
  },
  ONE_LANGUAGE,
);

export const LINK_FAULTS: readonly Fault[] = [
  ...missing,
  ...spellings,
  ...targets,
  ...mistakes,
  unlinked,
  external,
  renamed,
];
