/** An alert as an HTTP request: JSON of docvitals, or the format of a chat service. */
import { createHmac } from 'node:crypto';
import { mapping, oneOf, ref, variableText, webUrl } from '../../../config/define.ts';
import type { RouteFile } from '../../../generated/config-file.ts';
import type { SendResult } from '../alert.ts';
import { BAD_ADDRESS, type ChannelType, type Delivery } from './channel.ts';
import { discordBody, ntfyRequest, slackBody, teamsBody, topicOf } from './chat.ts';
import { post } from './post.ts';

type WebhookFile = NonNullable<RouteFile['webhook']>;
type Template = NonNullable<WebhookFile['template']>;
type Webhook = ReturnType<typeof read>;

interface Addressed {
  readonly url: URL;
  readonly body: unknown;
}

const BODIES: Readonly<Record<Template, (url: URL, delivery: Delivery) => Addressed | null>> = {
  json: (url, { document }) => ({ url, body: document }),
  slack: (url, { message }) => ({ url, body: slackBody(message) }),
  discord: (url, { message }) => ({ url, body: discordBody(message) }),
  teams: (url, { message }) => ({ url, body: teamsBody(message) }),
  ntfy: (url, { message }) => ntfyRequest(url, message),
};

export const webhook: ChannelType<WebhookFile, Webhook> = {
  settings: mapping(
    {
      url: webUrl('${OPS_WEBHOOK}'),
      template: oneOf(Object.keys(BODIES), { 'x-secret': false }),
      secret: variableText({ examples: ['${OPS_WEBHOOK_SECRET}'] }),
      headers: ref('headers', { Authorization: 'Bearer ${OPS_TOKEN}' }),
    },
    { required: ['url'] },
  ),
  mistakes: ({ url, template }) =>
    template === 'ntfy' && topicOf(url) === null ? [{ path: ['url'], expected: { kind: 'ntfy-topic' } }] : [],
  read,
  open: () => send,
};

/** `secret`: key of the HMAC; `null`: not signed. */
function read({ url, template = 'json', secret, headers = {} }: WebhookFile) {
  return { kind: 'webhook', url, template, secret: secret ?? null, headers } as const;
}

async function send(channel: Webhook, delivery: Delivery): Promise<SendResult> {
  const url = URL.parse(channel.url);
  const addressed = url === null ? null : BODIES[channel.template](url, delivery);
  if (addressed === null) return BAD_ADDRESS;
  const { id } = delivery.document;
  const { secret } = channel;
  return post(channel, delivery, {
    ...addressed,
    headers: (body) => ({
      'content-type': 'application/json; charset=utf-8',
      accept: '*/*',
      'idempotency-key': id,
      ...(secret === null ? {} : signatureHeaders(secret, id, body, delivery.now)),
    }),
    secrets: secret === null ? [] : [secret],
  });
}

/**
 * The signature of a body by the Standard Webhooks specification 1.0: `webhook-id`, `webhook-timestamp` (seconds since
 * 1970) and `webhook-signature: v1,<base64 of HMAC-SHA256 over "id.timestamp.body">`. `now`: ms since 1970.
 */
function signatureHeaders(secret: string, id: string, body: string, now: number): Record<string, string> {
  // `whsec_` and base64, as the specification writes secrets; any other text is used as it is.
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
  const key = encoded === undefined ? Buffer.from(secret, 'utf8') : Buffer.from(encoded, 'base64');
  const timestamp = String(Math.floor(now / 1_000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
