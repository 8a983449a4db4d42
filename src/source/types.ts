/** What a site is deployed from. Types only. */

export interface Source {
  readonly name: string;
  readonly kind: 'folder' | 'git' | 'manifest';
  /** Every file that could be deployed, by its path relative to the base, sorted. Rejects with a `SourceError`. */
  files(): Promise<ReadonlyMap<string, SourceFile>>;
  /** Paths of what is in the source but not compared: symbolic links, submodules. */
  skipped(): Promise<readonly string[]>;
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

export interface SourceFile extends ContentHash {
  /** Its name in Git, in a Git source. */
  readonly object?: string;
}

/** What shows whether two files are the same. */
export interface ContentHash {
  readonly bytes: number;
  readonly sha256: string;
  /**
   * Of the text without byte-order mark, with line feeds as line ends and without white space at its end; `null` for
   * what is not UTF-8 text or larger than 16 MiB.
   */
  readonly textSha256: string | null;
}

/** The last commits of a branch, by number: 0 is the newest. */
export interface History {
  /** The repository has not been fetched whole: there may be more. */
  readonly isShallow: boolean;
  /** The newest version of a file that has these bytes, or the same with other line ends; `null`: none has. */
  find(path: string, bytes: Uint8Array): FileVersion | null;
  /** What a file was as of a commit: the name of its bytes, `null` where the file did not exist or it is not known. */
  objectAt(path: string, commit: number): string | null;
  /** The newest commit that changed the bytes of a file, or made it; `null`: none that is known. */
  lastChange(path: string): number | null;
  paths(): Iterable<string>;
}

/** A version of a file, and the commits that have it. */
export interface FileVersion {
  /** The abbreviated name of the commit that made it. */
  readonly commit: string;
  /** The newest and the oldest commit that have it. */
  readonly newest: number;
  readonly oldest: number;
  /** How many versions of the file are newer. */
  readonly newerVersions: number;
}
