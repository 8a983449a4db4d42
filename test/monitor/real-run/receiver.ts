/** A webhook that can be gone for a while. */
import type { IncidentDocument } from '../../../src/monitor/incident/document.ts';
import { startReceiver } from '../../alerts/receiver.ts';

/** What a monitor told it. */
export interface Received {
  readonly key: string;
  readonly body: {
    readonly id: string;
    readonly event: string;
    readonly incident: IncidentDocument;
    readonly findings: readonly { readonly fix: string }[];
  };
}

export interface LeavingReceiver {
  readonly url: string;
  received(): readonly Received[];
  /** Nobody listens any more. */
  leave(): Promise<void>;
  /** It is back, where it was. */
  comeBack(): Promise<void>;
}

/** Listens on a free loopback port. */
export async function startLeavingReceiver(): Promise<LeavingReceiver> {
  const runs = [await startReceiver()];
  const [{ url } = { url: '' }] = runs;
  return {
    url: `${url}/alerts`,
    received: () =>
      runs.flatMap(({ received }) =>
        received.map(({ headers, body }) => ({
          key: String(headers['idempotency-key']),
          body: JSON.parse(body) as Received['body'],
        })),
      ),
    leave: async () => runs.at(-1)?.stop(),
    async comeBack() {
      runs.push(await startReceiver(Number(new URL(url).port)));
    },
  };
}
