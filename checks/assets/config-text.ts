import type { Answer } from '../../src/check.ts';
import { decodeUtf8 } from '../../src/parse/text.ts';

/** The text of the configuration, for places in it; empty where there is none. */
export function configText(config: Answer): string {
  if (config.kind === 'no-reply') return '';
  const decoded = decodeUtf8(config.body);
  return decoded.ok ? decoded.text : '';
}
