/** Which files of a repository belong to the site. Pure. */
import path from 'node:path';

/** Folders that no deploy carries along. */
const LEFT_OUT = new Set(['node_modules', '__pycache__', '__MACOSX', 'bower_components']);

/** Whether a path can be deployed at all: nothing hidden (but `.well-known`), no folder of tools. */
export function isDeployable(file: string): boolean {
  return file.split('/').every((name) => !LEFT_OUT.has(name) && (!name.startsWith('.') || name === '.well-known'));
}

/** Documents about a repository rather than of the site, where they stand at its root (or in `.github`). */
const ABOUT_REPOSITORY =
  /^(?:readme|changelog|changes|history|news|contributing|contributors|authors|maintainers|code_of_conduct|security|support|governance|license|licence|copying|notice|agents|claude|gemini|copilot-instructions|todo|roadmap|release|releasing|pull_request_template)(?:[.\-_][a-z-]+)?\.(?:md|markdown)$/i;

/** Media that pages show, by extension. */
const MEDIA = new Set(
  'svg png jpg jpeg gif webp avif ico woff woff2 ttf otf eot mp3 ogg wav mp4 webm mov pdf'.split(' '),
);

/** Files of the site itself, at its root. */
const OF_THE_SITE = new Set(['config.json', 'llms.txt', 'robots.txt']);

/** Whether a file of the source has to be live: a page, the configuration, an image, a font, a download. */
export function isDemanded(file: string): boolean {
  if (OF_THE_SITE.has(file)) return true;
  const extension = path.posix.extname(file).slice(1).toLowerCase();
  if (extension === 'md') return !ABOUT_REPOSITORY.test(file);
  return MEDIA.has(extension);
}

/** Other formats that sites serve: compared where they are live, for tools have files of the same kinds. */
const COMPARED = new Set('md markdown txt json html htm css js mjs xml webmanifest csv yml yaml wasm map'.split(' '));

/** Whether a file of the source is compared at all. */
export function isCompared(file: string): boolean {
  return isDemanded(file) || COMPARED.has(path.posix.extname(file).slice(1).toLowerCase());
}
