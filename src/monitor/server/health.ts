/** Whether the monitor lives, and whether it does its work. */
import type { MonitorView } from '../view.ts';
import { jsonNow, type Answered } from './answer.ts';

/** The process lives, and its event loop turns: there is no other reason to start it again. */
export function healthz(): Answered {
  return jsonNow(200, { status: 'alive' });
}

/** 200 when every site was checked and nothing stands in the way of the work, otherwise 503 with what does. */
export async function readyz(view: MonitorView): Promise<Answered> {
  const readable = await view.store.outboxState().then(
    () => true,
    () => false,
  );
  const troubles = [...new Set([...view.troubles(), ...(readable ? [] : ['store-unreadable'])])];
  if (view.ready() && troubles.length === 0) return jsonNow(200, { status: 'ready', troubles });
  return jsonNow(503, { status: troubles.length > 0 ? 'in-trouble' : 'starting', troubles });
}
