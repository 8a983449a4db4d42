/** An alert as an HTTP request: JSON of docvitals, or the format of a chat service. */
import { createHmac } from 'node:crypto';
import { mapping, oneOf, ref, variableText, webUrl } from '../../../config/define.ts';
import type { RouteFile } from '../../../generated/config-file.ts';
import type { SendResult } from '../alert.ts';
import type { ChannelType, Delivery } from './channel.ts';
import { discordBody } from './discord.ts';
import { BAD_ADDRESS, post } from './http.ts';
import { ntfyRequest, topicOf } from './ntfy.ts';
import { slackBody } from './slack.ts';
import { teamsBody } from './teams.ts';

type WebhookFile = NonNullable<RouteFile['webhook']>;

interface Webhook {
  readonly kind: 'webhook';
  readonly url: string;
  readonly template: NonNullable<WebhookFile['template']>;
  /** Key of the HMAC; `null`: not signed. */
  readonly secret: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** Where a body is sent, and the body. */
interface Addressed {
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
  const given = URL.parse(channel.url);
  const addressed = given === null ? null : BODIES[channel.template](given, delivery);
  if (addressed === null) return BAD_ADDRESS;
  const { document, now, env, signal } = delivery;
  const { secret } = channel;
  const body = JSON.stringify(addressed.body);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    accept: '*/*',
    'idempotency-key': document.id,
    ...(secret === null ? {} : signatureHeaders(secret, document.id, body, now)),
  };
  const secrets = secret === null ? [] : [secret];
  return post(channel, { url: addressed.url, body, headers, now, env, signal, secrets });
}

/**
 * The signature of a body by the Standard Webhooks specification 1.0: `webhook-id`, `webhook-timestamp` (seconds since
 * 1970) and `webhook-signature: v1,<base64 of HMAC-SHA256 over "id.timestamp.body">`. `now`: ms since 1970.
 */
function signatureHeaders(secret: string, id: string, body: string, now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000));
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/** `whsec_` and base64, as the specification writes secrets; any other text is taken as it is. */
function keyOf(secret: string): Buffer {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
  return encoded === undefined ? Buffer.from(secret, 'utf8') : Buffer.from(encoded, 'base64');
}
