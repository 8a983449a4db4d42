/** What a peer is, wherever it comes from. */

/** A program that can be run. */
export interface Peer {
  /** How it is called: the file, before it what runs it. */
  readonly argv: readonly string[];
  /** What has to be in the environment: where its libraries are. */
  readonly env: Readonly<Record<string, string>>;
  readonly version: string;
}

/** `missing`: why it cannot be had here. */
export type Found = Peer | { readonly missing: string };

export interface PeerOptions {
  /** Where to install what the machine does not have. */
  readonly folder: string;
  readonly progress: (text: string) => void;
}
