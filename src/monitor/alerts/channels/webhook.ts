/** An alert as an HTTP request: our own JSON, or the form that a chat service wants. */
import { mapping, oneOf, ref, variableText, webUrl } from '../../../config/define.ts';
import type { RouteFile } from '../../../generated/config-file.ts';
import { VERSION } from '../../../version.ts';
import type { SendResult } from '../send.ts';
import { ANSWER_BYTES, REQUEST_MS, type ChannelType, type Delivery } from './channel.ts';
import { discordBody } from './discord.ts';
import { ntfyRequest, topicOf } from './ntfy.ts';
import { request } from './request.ts';
import { signatureHeaders } from './signature.ts';
import { slackBody } from './slack.ts';
import { teamsBody } from './teams.ts';
import { resultOf, secretsOf } from './verdict.ts';

type WebhookFile = NonNullable<RouteFile['webhook']>;

interface Webhook {
  readonly kind: 'webhook';
  readonly url: string;
  readonly template: NonNullable<WebhookFile['template']>;
  /** Key of the HMAC; `null`: not signed. */
  readonly secret: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** Where a body goes, and what it is. */
export interface Addressed {
  readonly url: URL;
  readonly body: unknown;
}

const BODIES: Readonly<Record<Webhook['template'], (url: URL, delivery: Delivery) => Addressed | null>> = {
  json: (url, { document }) => ({ url, body: document }),
  slack: (url, { message }) => ({ url, body: slackBody(message) }),
  discord: (url, { message }) => ({ url, body: discordBody(message) }),
  teams: (url, { message }) => ({ url, body: teamsBody(message) }),
  ntfy: (url, { message }) => ntfyRequest(url, message),
};

export const webhook: ChannelType<WebhookFile, Webhook> = {
  settings: mapping(
    'Send notifications to a URL, as JSON or in the format of a chat service.',
    {
      url: webUrl('Where to send them; never printed. `${NAME}` is an environment variable.', {
        examples: ['${OPS_WEBHOOK}'],
      }),
      template: oneOf('Format of the body. Default: json.', Object.keys(BODIES), { 'x-secret': false }),
      secret: variableText('Key that signs the body (HMAC-SHA256); never printed.', {
        examples: ['${OPS_WEBHOOK_SECRET}'],
      }),
      headers: ref('headers', 'Request headers; never printed.', {
        examples: [{ Authorization: 'Bearer ${OPS_TOKEN}' }],
      }),
    },
    { required: ['url'] },
  ),
  mistakes: ({ url, template }) =>
    template === 'ntfy' && topicOf(url) === null ? [{ path: ['url'], expected: { kind: 'ntfy-topic' } }] : [],
  read: ({ url, template = 'json', secret = null, headers = {} }) => ({
    kind: 'webhook',
    url,
    template,
    secret,
    headers,
  }),
  open: () => send,
};

/** Posts the alert, signed if there is a secret. */
async function send(channel: Webhook, delivery: Delivery): Promise<SendResult> {
  const given = URL.canParse(channel.url) ? new URL(channel.url) : null;
  const addressed = given === null ? null : BODIES[channel.template](given, delivery);
  if (addressed === null) return { ok: false, error: 'bad-address', permanent: true, retryAfterMs: null };
  const { url } = addressed;
  const { document, now, env, signal } = delivery;
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
