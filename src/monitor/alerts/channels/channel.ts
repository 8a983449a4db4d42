/** What every channel is: its settings in the configuration, and how it sends; and how most of them do: by HTTP. */
import type { SchemaNode } from '../../../config/define.ts';
import type { Mistake } from '../../../config/problem.ts';
import type { RouteFile } from '../../../generated/config-file.ts';
import { decodedPart } from '../../../http/headers.ts';
import { isTemporary } from '../../../http/reasons.ts';
import { retryAfterMs } from '../../../http/retry.ts';
import { requestService, type ServiceResponse } from '../../../http/service.ts';
import { printable } from '../../../text/printable.ts';
import { cutText } from '../../../report/cut.ts';
import { hidden } from '../../../core/secrets.ts';
import { VERSION } from '../../../core/version.ts';
import type { SendFailure, SendResult } from '../alert.ts';
import type { AlertDocument, Message } from '../message.ts';

/** The settings of a channel as the configuration has them, by their key in a route. */
export type FileOf<Key extends keyof RouteFile> = NonNullable<RouteFile[Key]>;

/** A channel. `File`: its settings as the configuration has them; `Settings`: as they are used. */
export interface ChannelType<File, Settings extends { readonly kind: string }> {
  /** The schema of its settings. What a route says of its channel is never shown, unless it is marked as not secret. */
  readonly settings: SchemaNode;
  /** Mistakes that the schema cannot express. The settings fit the schema, and their variables are expanded. */
  readonly mistakes?: (file: File) => readonly Pick<Mistake, 'path' | 'expected'>[];
  readonly read: (file: File) => Settings;
  /** Makes what sends alerts for as long as the monitor runs. Sending never rejects and is bounded in time. */
  readonly open: () => (settings: Settings, delivery: Delivery) => Promise<SendResult>;
}

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

export const BAD_ADDRESS = failed('bad-address', { permanent: true });

const REQUEST_MS = 10_000;
/** How much is read of a response in which only the status counts. */
const RESPONSE_BYTES = 2_048;
const LONGEST_REPLY = 200;

export interface Post {
  readonly url: URL;
  readonly body: unknown;
  /** Names in lower case. */
  readonly headers?: (body: string) => Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
}

/** Posts an alert as JSON. 2xx means received, everything else not. `channel`: the address and headers as configured. */
export async function post(
  channel: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  { now, env, signal }: Delivery,
  { url, body: value, headers = () => ({}), secrets = [] }: Post,
): Promise<SendResult> {
  const body = JSON.stringify(value);
  const configured = Object.entries(channel.headers).map(([name, text]) => [name.toLowerCase(), text] as const);
  const response = await requestService({
    method: 'POST',
    url,
    headers: {
      ...Object.fromEntries(configured),
      'user-agent': `docvitals/${VERSION}`,
      'content-type': 'application/json',
      ...headers(body),
    },
    body,
    timeoutMs: REQUEST_MS,
    mostBytes: RESPONSE_BYTES,
    mayCut: true,
    env,
    signal,
  });
  if (!response.ok) return failed(response.error);
  const { status } = response;
  if (status >= 200 && status < 300) return { ok: true, status };
  // In case the receiver echoes them.
  const all = [...secretsOf(URL.parse(channel.url) ?? url, channel.headers), ...secrets];
  return failed(`http ${status}${explanation(response, all)}`, {
    permanent: !isTemporary(status),
    retryAfterMs: retryAfterMs(response.headers, now),
  });
}

/** The receiver's explanation as one short line; web pages are left out. */
function explanation({ headers, body }: Extract<ServiceResponse, { ok: true }>, secrets: readonly string[]): string {
  const type = headers.get('content-type') ?? '';
  if (!/^(?:text\/plain|application\/(?:[\w.+-]+\+)?json)\b/i.test(type)) return '';
  const text = printable(Buffer.from(body).toString('utf8').trim().replaceAll(/\s+/g, ' '));
  return text === '' ? '' : `: ${cutText(hidden(text, secrets), LONGEST_REPLY)}`;
}

/** The parts of an address that can be secrets: credentials, segments of the path, values of the query. */
function secretsOf(url: URL, headers: Readonly<Record<string, string>>): readonly string[] {
  const parts = [
    url.username,
    url.password,
    decodedPart(url.password),
    // Short words before the last segment belong to the interface: `services`, `webhooks`.
    ...url.pathname.split('/').filter((part, at, all) => at === all.length - 1 || !/^[a-z]{1,10}$/.test(part)),
    ...url.searchParams.values(),
    ...Object.values(headers).flatMap((value) => [value, ...value.split(' ')]),
  ];
  return [...new Set(parts)].filter((part) => part.length >= 6).toSorted((a, b) => b.length - a.length);
}
