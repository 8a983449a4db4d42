import type { AlertDocument } from '../document.ts';
import type { Message } from '../message.ts';
import type { Channel } from '../../settings.ts';

/** What a channel carries, and what it has around it. */
export interface Carried {
  readonly message: Message;
  readonly document: AlertDocument;
  /** ms since 1970. */
  readonly now: number;
  /** Proxies; what a command inherits of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** A channel of one kind, by that name. */
export type ChannelOf<Kind extends Channel['kind']> = Extract<Channel, { readonly kind: Kind }>;

/** Longest time for one HTTP request. */
export const REQUEST_MS = 10_000;
/** What is read of an answer in which only the status counts. */
export const ANSWER_BYTES = 2_048;
