/** What a site is deployed from. Types only. */
import type { History } from './git.ts';

export interface Source {
  readonly name: string;
  readonly kind: 'folder' | 'git' | 'manifest';
  /** Every file that could be deployed, by its path relative to the base, sorted. Rejects with a `SourceError`. */
  files(): Promise<ReadonlyMap<string, SourceFile>>;
  /** Paths of what is in the source but not compared: symbolic links, submodules. */
  skipped(): Promise<readonly string[]>;
  /**
   * Paths of what could not be read, sorted: files without permission, larger than 4 GiB, not regular or with a name that
   * is not UTF-8, folders, and files with rules such as `.gitignore`.
   */
  unread(): Promise<readonly string[]>;
  /**
   * The source's folder from the root of its repository or, without one, from the folder that docvitals runs in; `''`
   * for the root itself. `null`: not known (a manifest, a folder elsewhere).
   */
  repositoryFolder(): Promise<string | null>;
  /** The bytes of a file; `null` where they are not at hand (a manifest holds hashes only) or too many (16 MiB). */
  read(path: string): Promise<Uint8Array | null>;
  /** `null`: Git has none. */
  history(): Promise<History | null>;
}

/** What shows whether two files are the same. */
export interface SourceFile {
  readonly bytes: number;
  readonly sha256: string;
  /**
   * Of the text without byte-order mark, with line feeds as line ends and without white space at its end; `null` for
   * what is not UTF-8 text or larger than 16 MiB.
   */
  readonly textSha256: string | null;
}
