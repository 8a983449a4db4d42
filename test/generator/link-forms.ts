/** Every form in which a Markdown text of such a site can lead to a page of it. */
import { posix } from 'node:path';

/** Where a link stands. */
export interface LinkPlace {
  /** Path of the file that holds it, relative to the site's base. */
  readonly from: string;
  /** The site's address, ends with a slash: `http://127.0.0.1:4173/docs/`. */
  readonly address: string;
}

/** What a link leads to. */
export interface LinkTarget {
  /** Relative to the site's base, not encoded: `setup/first steps.md`. */
  readonly path: string;
  /** Not encoded. */
  readonly anchor?: string;
  readonly text: string;
}

/** A link as it stands in the text, and the definition that a reference link needs further down. */
export interface WrittenLink {
  readonly markdown: string;
  readonly definition?: string;
}

type Write = (target: LinkTarget, place: LinkPlace) => WrittenLink;

/** Encodes each part of a path as `encodeURIComponent` does. */
export const encodedPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** Only what has to be encoded: letters of any script stay as they are. */
const lightlyEncoded = (path: string): string => path.replaceAll('%', '%25').replaceAll(' ', '%20');

/** As it may stand between angle brackets. */
const spelledOut = (path: string): string => path.replaceAll('%', '%25');

/** The way from a file's folder to a path, by `../` and names. */
export function relativePath(from: string, path: string): string {
  const folder = path.endsWith('/') || path === '';
  const way = posix.relative(posix.dirname(`/${from}`), `/${path}`);
  return folder ? `${way === '' ? '.' : way}/` : way;
}

const anchorOf = ({ anchor }: LinkTarget): string => (anchor === undefined ? '' : `#${encodeURIComponent(anchor)}`);
const inline = ({ text }: LinkTarget, url: string): WrittenLink => ({ markdown: `[${text}](${url})` });
const relative = (target: LinkTarget, { from }: LinkPlace, encode = encodedPath): string =>
  encode(relativePath(from, target.path)) + anchorOf(target);
const route = (target: LinkTarget, encode = encodedPath): string => encode(target.path) + anchorOf(target);
const attribute = (url: string): string => url.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** Forms for any page. */
export const LINK_FORMS = {
  relative: (target, place) => inline(target, relative(target, place)),
  'dot-relative': (target, place) => inline(target, `./${relative(target, place)}`),
  angle: (target, place) => inline(target, `<${relative(target, place, spelledOut)}>`),
  'lower-case-hexadecimal': (target, place) =>
    inline(
      target,
      relative(target, place).replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase()),
    ),
  'lightly-encoded': (target, place) => inline(target, relative(target, place, lightlyEncoded)),
  titled: (target, place) => inline(target, `${relative(target, place)} "${target.text.replaceAll('"', '')}"`),
  'hash-slash': (target) => inline(target, `#/${route(target)}`),
  'hash-bang': (target) => inline(target, `#!${route(target)}`),
  'hash-plain': (target) => inline(target, `#${route(target)}`),
  'hash-angle': (target) => inline(target, `<#/${route(target, spelledOut)}>`),
  'hash-lightly-encoded': (target) => inline(target, `#/${route(target, lightlyEncoded)}`),
  'absolute-file': (target, { address }) => inline(target, address + route(target)),
  'absolute-hash': (target, { address }) => inline(target, `${address}#/${route(target)}`),
  'absolute-index-hash': (target, { address }) => inline(target, `${address}index.html#/${route(target)}`),
  autolink: (target, { address }) => ({ markdown: `<${address}${route(target)}>` }),
  reference: (target, place) => ({
    markdown: `[${target.text}][to ${target.path}]`,
    definition: `[to ${target.path}]: <${relative(target, place, spelledOut)}>`,
  }),
  'reference-hash': (target) => ({
    markdown: `[${target.text}][By Route ${target.path}]`,
    definition: `[by route ${target.path}]: #/${route(target)} 'Another page'`,
  }),
  html: (target, place) => ({ markdown: `<a href="${attribute(relative(target, place))}">${target.text}</a>` }),
  'html-hash': (target) => ({
    markdown: `<a class='page' href='#/${route(target).replaceAll("'", '%27')}'>${target.text}</a>`,
  }),
} satisfies Record<string, Write>;

/** Forms that name a folder and mean its `index.md`. */
export const FOLDER_FORMS = {
  folder: (target, place) => inline(target, relative(folderOf(target), place)),
  'folder-hash-slash': (target) => inline(target, `#/${route(folderOf(target))}`),
  'folder-hash-bang': (target) => inline(target, `#!${route(folderOf(target))}`),
  'folder-absolute': (target, { address }) => inline(target, `${address}#/${route(folderOf(target))}`),
  'folder-html': (target) => ({ markdown: `<a href="#/${attribute(route(folderOf(target)))}">${target.text}</a>` }),
} satisfies Record<string, Write>;

function folderOf(target: LinkTarget): LinkTarget {
  return { ...target, path: target.path.replace(/index\.md$/, '') };
}

export type LinkForm = keyof typeof LINK_FORMS | keyof typeof FOLDER_FORMS;

/** Names of all forms, those for folders last. */
export const PAGE_FORM_NAMES = Object.keys(LINK_FORMS) as readonly (keyof typeof LINK_FORMS)[];
export const FOLDER_FORM_NAMES = Object.keys(FOLDER_FORMS) as readonly (keyof typeof FOLDER_FORMS)[];

/** Writes a link. A form for folders is for targets that end in `index.md`. */
export function writeLink(form: LinkForm, target: LinkTarget, place: LinkPlace): WrittenLink {
  return ({ ...LINK_FORMS, ...FOLDER_FORMS } satisfies Record<LinkForm, Write> as Record<LinkForm, Write>)[form](
    target,
    place,
  );
}
