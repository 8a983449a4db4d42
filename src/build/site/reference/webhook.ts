/** `reference/webhook.md`: what a webhook receives, from notifications that are sent to a server of this process. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { configSchema } from '../../../config/schema.ts';
import type { Alert } from '../../../monitor/alerts/alert.ts';
import { createSend } from '../../../monitor/alerts/send.ts';
import { DEFAULT_MONITOR } from '../../../monitor/settings.ts';
import type { Language } from '../../../texts.ts';
import { VERSION } from '../../../version.ts';
import { describedAs } from './fields.ts';
import { block, code, page, prose, table } from './markdown.ts';
import { fieldTable, type ObjectSchema } from './objects.ts';
import { SAMPLE_INCIDENT, SAMPLE_SITE, SIX, WHOLE_INCIDENT } from './sample.ts';
import type { Words } from './words.ts';

/** Headers of the connection, which are the same in every request. */
const TRANSPORT = new Set(['host', 'connection', 'content-length', 'accept-encoding', 'transfer-encoding']);

export async function webhookPage(language: Language, words: Words): Promise<string> {
  const opened = await receive(language, {
    key: `${SAMPLE_INCIDENT.id}:opened:ops`,
    event: 'opened',
    incident: SAMPLE_INCIDENT,
    alsoSites: [],
  });
  const recovered = await receive(language, {
    key: `${WHOLE_INCIDENT.id}:recovered:ops`,
    event: 'recovered',
    incident: { ...WHOLE_INCIDENT, findings: [{ check: 'bundle', code: 'refused', evidence: {}, location: null }] },
    alsoSites: [],
    test: true,
  });
  const schema = schemaOf([opened, recovered].map(({ body }) => JSON.parse(body) as Record<string, unknown>));
  const headers = Object.entries(opened.headers).filter(([name]) => !TRANSPORT.has(name));
  const templates = configSchema.$defs?.['route']?.properties?.['webhook']?.properties?.['template']?.enum ?? [];
  return page(words('Webhook'), [
    words(
      'A notification route with a `webhook` sends each notification as a `POST` request with a JSON body. A program of a `command` route receives the same JSON on its standard input.',
    ),
    block('yaml', ROUTE),
    words(
      'All keys of a route are in [Configuration](configuration.md#alerts); routes are explained in the guide [Notifications](../guides/notifications.md).',
    ),
    `## ${words('Request')}`,
    table(
      [words('Header'), words('Example'), words('Description')],
      headers.map(([name, value]) => [
        code(name),
        code(value.replace(`docvitals/${VERSION}`, 'docvitals/<version>')),
        prose(words(HEADERS[name] ?? '')),
      ]),
    ),
    words(
      'A response with a status of 2xx means that the notification was received. After any other response, or none, the notification is sent again with the same `idempotency-key`, so that a receiver can ignore a repeated one. `Retry-After` is respected.',
    ),
    `## ${words('Body')}`,
    words('The texts are in the language of the route. This is the body of an incident that was just opened:'),
    block('json', JSON.stringify(JSON.parse(opened.body), null, 2)),
    fieldTable(schema, {
      words,
      resolve: () => ({}),
      linkOf: () => undefined,
      describe: (path) => describedAs(`Webhook.${path}`),
    }),
    `## ${words('Signature')}`,
    words(
      'With a `secret`, the request is signed according to [Standard Webhooks](https://www.standardwebhooks.com/): `webhook-signature` is `v1,` and the base64 of the HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`. If the secret begins with `whsec_`, its rest is the base64 of the key; any other secret is used as it is.',
    ),
    block('js', VERIFY),
    `## ${words('Chat services')}`,
    `${words('With a `template`, the body has the format of a chat service instead:')} ${templates
      .filter((name) => name !== 'json')
      .map(code)
      .join(', ')}.`,
  ]);
}

const ROUTE = `alerts:
  - id: ops
    webhook:
      url: \${OPS_WEBHOOK}
      secret: \${OPS_WEBHOOK_SECRET}
`;

const VERIFY = `import { createHmac, timingSafeEqual } from 'node:crypto';

export function isFromDocvitals(headers, body, secret) {
  const [id, time, given = ''] = ['id', 'timestamp', 'signature'].map((name) => headers[\`webhook-\${name}\`]);
  const expected = Buffer.from(\`v1,\${createHmac('sha256', secret).update(\`\${id}.\${time}.\${body}\`).digest('base64')}\`);
  const isRecent = Math.abs(Date.now() / 1000 - Number(time)) < 300;
  return isRecent && Buffer.byteLength(given) === expected.length && timingSafeEqual(Buffer.from(given), expected);
}
`;

const HEADERS: Readonly<Record<string, string>> = {
  'user-agent': 'Name and version of docvitals.',
  'content-type': 'Media type of the body.',
  accept: 'Any response is accepted.',
  'idempotency-key': 'Id of the notification: the same whenever it is sent again.',
  'webhook-id': 'Id of the notification; only with a `secret`.',
  'webhook-timestamp': 'Time of sending, in seconds since 1970; only with a `secret`.',
  'webhook-signature': 'Signature of the body; only with a `secret`.',
};

/** Sends a notification to a server of this process, and returns the request. */
async function receive(language: Language, alert: Alert) {
  const received = Promise.withResolvers<{ headers: Readonly<Record<string, string>>; body: string }>();
  const server = createServer((request, response) => {
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
    received.resolve(text(request).then((body) => ({ headers: Object.fromEntries(headers), body })));
    request.on('end', () => response.end());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const now = alert.incident.recoveredAt ?? SIX + 55_000;
    const send = createSend({
      settings: () => ({ ...DEFAULT_MONITOR, sites: [SAMPLE_SITE] }),
      env: {},
      now: () => now,
    });
    const route = {
      id: 'ops',
      channel: { kind: 'webhook', url: `http://127.0.0.1:${port}/`, template: 'json', secret: 'example', headers: {} },
      language,
      afterMs: 0,
      reminderMs: null,
      verdicts: [],
      tags: [],
    } as const;
    const result = await send(route, alert, new AbortController().signal);
    if (!result.ok) throw new Error(`the example of a webhook was not sent: ${result.error}`);
    return await received.promise;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** The shape of documents: a field that one of them lacks is optional. */
function schemaOf(objects: readonly Record<string, unknown>[]): ObjectSchema {
  const keys = [...new Set(objects.flatMap((one) => Object.keys(one)))];
  const properties = keys.map((key) => [
    key,
    valueSchema(
      key,
      objects.filter((one) => key in one).map((one) => one[key]),
    ),
  ]);
  const required = keys.filter((key) => objects.every((one) => key in one));
  return { type: 'object', properties: Object.fromEntries(properties) as Record<string, ObjectSchema>, required };
}

function valueSchema(key: string, values: readonly unknown[]): ObjectSchema {
  const some = values.filter((value) => value !== null);
  const isNullable = some.length < values.length || key in NULLABLE;
  const schema = presentSchema(key, some);
  if (!isNullable) return some.every((value) => value === true) ? { const: true } : schema;
  return schema.type === 'boolean' ? { type: ['boolean', 'null'] } : { oneOf: [schema, { type: 'null' }] };
}

function presentSchema(key: string, some: readonly unknown[]): ObjectSchema {
  if (some.some((value) => Array.isArray(value))) {
    const items = some.flat();
    return {
      type: 'array',
      items: items.some(isObject) ? schemaOf(items.filter(isObject)) : { type: typeof items[0] },
    };
  }
  if (some.some(isObject)) return schemaOf(some.filter(isObject));
  return key.endsWith('At') ? { type: 'string', format: 'date-time' } : { type: typeof some[0] };
}

/** Fields that are `null` in other documents than the two examples. */
const NULLABLE: Readonly<Record<string, true>> = { url: true, before: true };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
