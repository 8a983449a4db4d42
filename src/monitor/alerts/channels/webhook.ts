/** An alert as an HTTP request: our own JSON, or the form that a chat service wants. */
import { VERSION } from '../../../version.ts';
import type { SendResult } from '../send.ts';
import type { WebhookTemplate } from '../../settings.ts';
import { ANSWER_BYTES, REQUEST_MS, type Carried, type ChannelOf } from './carried.ts';
import { discordBody } from './discord.ts';
import { ntfyRequest } from './ntfy.ts';
import { request } from './request.ts';
import { signatureHeaders } from './signature.ts';
import { slackBody } from './slack.ts';
import { teamsBody } from './teams.ts';
import { resultOf, secretsOf } from './verdict.ts';

/** Where a body goes, and what it is. */
export interface Addressed {
  readonly url: URL;
  readonly body: unknown;
}

const BODIES: Readonly<Record<WebhookTemplate, (url: URL, carried: Carried) => Addressed | null>> = {
  json: (url, { document }) => ({ url, body: document }),
  slack: (url, { message }) => ({ url, body: slackBody(message) }),
  discord: (url, { message }) => ({ url, body: discordBody(message) }),
  teams: (url, { message }) => ({ url, body: teamsBody(message) }),
  ntfy: (url, { message }) => ntfyRequest(url, message),
};

/** Posts the alert, signed where there is a secret. */
export async function webhook(channel: ChannelOf<'webhook'>, carried: Carried): Promise<SendResult> {
  const given = URL.canParse(channel.url) ? new URL(channel.url) : null;
  const addressed = given === null ? null : BODIES[channel.template](given, carried);
  if (addressed === null) return { ok: false, error: 'bad-address', permanent: true, retryAfterMs: null };
  const { url } = addressed;
  const { document, now, env, signal } = carried;
  const body = JSON.stringify(addressed.body);
  const headers = {
    ...lowerCase(channel.headers),
    'content-type': 'application/json; charset=utf-8',
    accept: '*/*',
    'user-agent': `docvitals/${VERSION}`,
    'idempotency-key': document.id,
    ...(channel.secret === null ? {} : signatureHeaders(channel.secret, document.id, body, now)),
  };
  const sent = { method: 'POST', url, headers, body, timeoutMs: REQUEST_MS, mostBytes: ANSWER_BYTES, env, signal };
  const secrets = [...secretsOf(given ?? url, channel.headers), ...(channel.secret === null ? [] : [channel.secret])];
  return resultOf(await request(sent), now, secrets);
}

/** So that nobody's `content-type` stands beside ours. */
export function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
