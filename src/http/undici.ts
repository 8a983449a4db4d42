/**
 * The one place that knows where undici keeps its client. The package's index loads everything it has (fetch,
 * WebSocket, mocks, …), which costs a one-shot command more than its requests; the client alone is a third of that.
 * `undici.test.ts` holds the contract.
 */
import type { Client as ClientType, Dispatcher } from 'undici';
// @ts-expect-error undici declares no types for its inner modules.
import ClientModule from 'undici/lib/dispatcher/client.js';

export const Client = ClientModule as typeof ClientType;
export type { Dispatcher };
