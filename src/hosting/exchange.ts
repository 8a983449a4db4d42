/** What goes into an answer and what comes out. */

export interface HostRequest {
  readonly method: string;
  /** As in the request line: an encoded path, perhaps with a query. */
  readonly target: string;
  readonly receivedAt: Date;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface HostResponse {
  readonly status: number;
  /** In order; a name may stand more than once. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** As sent: compressed where the headers say so, empty for `HEAD`. */
  readonly body: Uint8Array;
}

export interface FileEntry {
  readonly kind: 'file';
  readonly bytes: Uint8Array;
  readonly modified: Date;
}

export type Entry = FileEntry | { readonly kind: 'folder' };

/** What is deployed. */
export interface Files {
  /**
   * What is at a path: decoded, relative to the host's root, without slashes at its ends; `''` is the root. `null` for
   * what is not there, and for every path with an empty segment, `.` or `..` in it.
   */
  entry(path: string): Promise<Entry | null>;
}

/** A file, or `null` for a folder and for nothing. */
export async function fileAt(files: Files, path: string): Promise<FileEntry | null> {
  const entry = await files.entry(path);
  return entry?.kind === 'file' ? entry : null;
}

/** The request's URL, as hosts read it that go by the URL standard; its own host is of no interest. */
export function urlOf({ target }: HostRequest): URL {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return new URL(`http://host.invalid${path.startsWith('/') ? '' : '/'}${path}`);
}

/** An answer without body. */
export function bare(status: number, headers: HostResponse['headers'] = []): HostResponse {
  return { status, headers: [...headers, ['Content-Length', '0']], body: new Uint8Array() };
}
