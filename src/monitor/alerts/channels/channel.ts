/** What every channel is: its settings in the configuration, and how it sends. */
import type { SchemaNode } from '../../../config/define.ts';
import type { Expected } from '../../../config/problem.ts';
import type { SendFailure, SendResult } from '../alert.ts';
import type { AlertDocument, Message } from '../message.ts';

/** A channel. `File`: its settings as the configuration has them; `Settings`: as they are used. */
export interface ChannelType<File, Settings extends { readonly kind: string }> {
  /** The schema of its settings. What a route says of its channel is never shown, unless it is marked as not secret. */
  readonly settings: SchemaNode;
  /** Mistakes that the schema cannot express. The settings fit the schema, and their variables are expanded. */
  readonly mistakes?: (
    file: File,
  ) => readonly { readonly path: readonly (string | number)[]; readonly expected: Expected }[];
  readonly read: (file: File) => Settings;
  /** Makes what sends alerts for as long as the monitor runs. Sending never rejects and is bounded in time. */
  readonly open: () => (settings: Settings, delivery: Delivery) => Promise<SendResult>;
}

/** An alert on its way to a channel. */
export interface Delivery {
  readonly message: Message;
  readonly document: AlertDocument;
  readonly now: number;
  /** For proxies, and for what a command inherits. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** A failed delivery; one that may succeed later unless it says otherwise. */
export function failed(error: string, more: Partial<SendFailure> = {}): SendFailure {
  return { ok: false, error, permanent: false, retryAfterMs: null, ...more };
}

/** The failure of a URL that cannot be used. */
export const BAD_ADDRESS = failed('bad-address', { permanent: true });
