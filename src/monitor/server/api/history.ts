/** `/api/v1/sites/{id}/history` */
import { HISTORY_MS, historyDocument, type History } from '../../history/documents.ts';
import type { RangeQuery, Resolution } from '../../store/store.ts';
import type { MonitorView } from '../../view.ts';
import { json, type Answered, type Asked } from '../answer.ts';
import { RequestProblem } from '../problem.ts';
import { siteView } from './sites.ts';
import { demandKnown, limitParameter, timeParameter, wordParameter } from './query.ts';

/** `run`: one by one, as far as they are kept. */
export const RESOLUTIONS = ['round', 'minute', 'hour', 'day'] as const satisfies readonly (Resolution | 'round')[];

const DEFAULT_LIMIT = 1_000;
const MOST = 10_000;

/** What happened at a site from `from` on, until `to`: the oldest first. */
export async function siteHistory({ search }: Asked, id: string, view: MonitorView): Promise<Answered> {
  demandKnown(search, ['resolution', 'from', 'to', 'limit']);
  siteView(view, id);
  const resolution = wordParameter(search, 'resolution', RESOLUTIONS, 'hour');
  const limit = limitParameter(search, DEFAULT_LIMIT, MOST);
  const to = timeParameter(search, 'to') ?? view.now();
  const from = timeParameter(search, 'from') ?? to - HISTORY_MS[resolution];
  if (from > to) throw new RequestProblem('bad-parameter', 'from');
  const range: RangeQuery = { site: id, from, to, limit };
  const history: History =
    resolution === 'round'
      ? { site: id, resolution, from, to, entries: await view.store.runs(range) }
      : { site: id, resolution, from, to, entries: await view.store.buckets({ ...range, resolution }) };
  return json(historyDocument(history));
}
