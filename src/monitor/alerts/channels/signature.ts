/**
 * The signature of a webhook, by the Standard Webhooks specification 1.0: `webhook-id`, `webhook-timestamp` (seconds
 * since 1970) and `webhook-signature: v1,<base64 of HMAC-SHA256 over "id.timestamp.body">`. Pure.
 */
import { createHmac } from 'node:crypto';

/** The headers that let a receiver verify who sent a body, and when. `now`: ms since 1970. */
export function signatureHeaders(secret: string, id: string, body: string, now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000));
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/** `whsec_` and base64, as the specification writes secrets; any other text stands for its own bytes. */
function keyOf(secret: string): Buffer {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
  return encoded === undefined ? Buffer.from(secret, 'utf8') : Buffer.from(encoded, 'base64');
}
