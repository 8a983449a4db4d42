/** The package's index loads all of undici, which takes a one-shot command longer than its requests. */
import { setFlagsFromString } from 'node:v8';
import type { Client as ClientType, Dispatcher } from 'undici';
// @ts-expect-error undici declares no types for its inner modules.
import ClientModule from 'undici/lib/dispatcher/client.js';

export const Client = ClientModule as typeof ClientType;
export type { Dispatcher };

/** What V8 has by default. Another value would make what is in compile caches invalid. */
export const TIERING_BUDGET = 13_000_000;
const NEVER = 2_000_000_000;

let isParserLoaded = false;

/** V8 would soon compile undici's WebAssembly parser again, optimized: a third of a whole run, and no gain. */
export function withoutOptimizing(callback: () => void): void {
  if (isParserLoaded) return callback();
  isParserLoaded = true;
  setFlagsFromString(`--wasm-tiering-budget=${NEVER}`);
  try {
    callback();
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`);
  }
}
