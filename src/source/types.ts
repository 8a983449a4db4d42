/** What a site is deployed from. Types only. */

/** A folder, a Git tree or a hash manifest, opened. */
export interface Source {
  /** As the user named it. */
  readonly name: string;
  readonly kind: 'folder' | 'git' | 'manifest';
  /**
   * Every file that could be deployed, by its path relative to the site's base, sorted. Read once, when first asked
   * for. Rejects with a `SourceError` when it cannot be read.
   */
  files(): Promise<ReadonlyMap<string, SourceFile>>;
  /** The bytes of a file; `null` where they are not at hand (a manifest holds hashes only) or too many (16 MiB). */
  read(path: string): Promise<Uint8Array | null>;
  /** The last twenty committed versions of a file, the newest first; none where there is no history. */
  history(path: string): Promise<readonly EarlierVersion[]>;
  /** The files that a commit and those after it changed. */
  changedSince(commit: string): Promise<ReadonlySet<string>>;
}

export interface SourceFile extends ContentHash {
  /** What a Git source knows the file by; absent elsewhere. */
  readonly object?: string;
}

/** What tells whether two files are the same. */
export interface ContentHash {
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
  /**
   * Of the text without byte-order mark, with line feeds as line ends and without white space at its end; `null` for
   * what is no UTF-8 text or larger than 16 MiB.
   */
  readonly textSha256: string | null;
}

/** A file as an earlier commit had it. */
export interface EarlierVersion {
  /** The commit's abbreviated name. */
  readonly commit: string;
  /** The commit that changed it next; `null`: none has. */
  readonly replacedBy: string | null;
  readonly content: ContentHash;
}
