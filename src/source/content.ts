import { createHash, hash } from 'node:crypto';
import path from 'node:path';
import { decodeUtf8 } from '../parse/text.ts';
import type { SourceFile } from './types.ts';

/** Larger files are compared byte for byte only. */
export const LARGEST_TEXT = 16 * 1024 * 1024;
/** Larger files are not read: hashing one takes seconds, and no host of static sites serves it. */
export const LARGEST_FILE = 4 * 1024 ** 3;
/** Entries of folders that are read: far more than a documentation site has. Who names `/` by mistake gets an error. */
export const MOST_ENTRIES = 200_000;

/** What Git LFS keeps instead of a file (its specification, version 1): the hash and the size of the real one. */
const LFS_POINTER =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:[a-z0-9.-]+ .*\n)*?oid sha256:([0-9a-f]{64})\nsize (\d{1,15})\n/;
const LONGEST_POINTER = 1024;

export function contentHash(bytes: Uint8Array): SourceFile {
  const text = normalText(bytes);
  return {
    bytes: bytes.length,
    sha256: hash('sha256', bytes),
    textSha256: text === null ? null : hash('sha256', text),
  };
}

/** The same for a file of a repository, where a Git LFS pointer represents its file. */
export const sourceHash = (bytes: Uint8Array): SourceFile => pointedTo(bytes) ?? contentHash(bytes);

/** What a Git LFS pointer says of the real file; `null` for other texts. */
export function pointedTo(bytes: Uint8Array): SourceFile | null {
  if (bytes.length > LONGEST_POINTER) return null;
  const [, oid, size] = LFS_POINTER.exec(Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n')) ?? [];
  return oid === undefined ? null : { bytes: Number(size), sha256: oid, textSha256: null };
}

/** Hashes a file of a repository, of any size, as it comes. */
export function sourceHasher() {
  const whole = createHash('sha256');
  const kept: Uint8Array[] = [];
  let bytes = 0;
  return {
    update(chunk: Uint8Array): void {
      whole.update(chunk);
      bytes += chunk.length;
      if (bytes <= LARGEST_TEXT) kept.push(chunk);
      else kept.length = 0;
    },
    end: (): SourceFile =>
      bytes <= LARGEST_TEXT
        ? sourceHash(Buffer.concat(kept))
        : { bytes, sha256: whole.digest('hex'), textSha256: null },
  };
}

/**
 * A text as hosts and editors leave it unchanged: without byte-order mark, with line feeds as line ends, without white
 * space at its end. `null` if it is not UTF-8 text.
 */
export function normalText(bytes: Uint8Array): string | null {
  if (bytes.length > LARGEST_TEXT || bytes.includes(0)) return null;
  const decoded = decodeUtf8(bytes);
  return decoded.ok ? decoded.text.replaceAll(/\r\n?/g, '\n').trimEnd() : null;
}

const LEFT_OUT = new Set(['node_modules', '__pycache__', '__MACOSX', 'bower_components']);

/** Whether a path can be deployed at all: nothing hidden (but `.well-known`), no folder of tools. */
export function isDeployable(file: string): boolean {
  return file.split('/').every((name) => !LEFT_OUT.has(name) && (!name.startsWith('.') || name === '.well-known'));
}

/** Documents about a repository rather than of the site, at its root (or in `.github`). */
const ABOUT_REPOSITORY =
  /^(?:readme|changelog|changes|history|news|contributing|contributors|authors|maintainers|code_of_conduct|security|support|governance|license|licence|copying|notice|agents|claude|gemini|copilot-instructions|todo|roadmap|release|releasing|pull_request_template)(?:[.\-_][a-z-]+)?\.(?:md|markdown)$/i;

const MEDIA = new Set(
  'svg png jpg jpeg gif webp avif ico woff woff2 ttf otf eot mp3 ogg wav mp4 webm mov pdf'.split(' '),
);

const extensionOf = (file: string): string => path.posix.extname(file).slice(1).toLowerCase();

/** Whether a file of the source has to be live: a page, the configuration, an image, a font, a download. */
export function isDemanded(file: string): boolean {
  if (['config.json', 'llms.txt', 'robots.txt'].includes(file)) return true;
  const extension = extensionOf(file);
  return extension === 'md' ? !ABOUT_REPOSITORY.test(file) : MEDIA.has(extension);
}

/** Other formats that sites serve: compared where they are live, for tools have files of the same kinds. */
const COMPARED = new Set('md markdown txt json html htm css js mjs xml webmanifest csv yml yaml wasm map'.split(' '));

export function isCompared(file: string): boolean {
  return isDemanded(file) || COMPARED.has(extensionOf(file));
}

/** Rejects with a `SourceError` where the work fails, and as soon as the signal is aborted. */
export async function readable<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const ended = Promise.withResolvers<never>();
  const end = (): void => ended.reject(new SourceError('not read before the end of the run'));
  signal?.addEventListener('abort', end);
  if (signal?.aborted === true) end();
  try {
    return await Promise.race([work(), ended.promise]);
  } catch (error) {
    throw error instanceof SourceError ? error : new SourceError((error as Error).message);
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

export const tooMany = (): SourceError => new SourceError(`more than ${MOST_ENTRIES} entries`);

/** What `--source` names cannot be read. Its message is a short detail in the system's or Git's own words. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}
