import { createHash } from 'node:crypto';

/** A short name for a text, of characters that need no escaping anywhere. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
