/** `/api/v1/…`: what the monitor knows, to read. */
import type { MonitorView } from '../../view.ts';
import { json, type Answered, type Asked } from '../answer.ts';
import { languageOf } from '../language.ts';
import { RequestProblem } from '../problem.ts';
import { siteHistory } from './history.ts';
import { incidentDetail, incidentList } from './incidents.ts';
import { maintenanceList } from './maintenance.ts';
import { openApi } from './openapi.ts';
import { siteDetail, siteList } from './sites.ts';

type Handler = (asked: Asked, view: MonitorView, id: string) => Answered | Promise<Answered>;

/** By path below `/api/v1`; `*` stands for an id. */
const ROUTES: Readonly<Record<string, Handler>> = {
  '/incidents': (asked, view) => incidentList(asked, view),
  '/incidents/*': (asked, view, id) => incidentDetail(asked, id, view),
  '/sites': siteList,
  '/sites/*': (asked, view, id) => siteDetail(asked, id, view),
  '/sites/*/history': (asked, view, id) => siteHistory(asked, id, view),
  '/maintenance': (asked, view) => maintenanceList(asked, view),
  '/openapi.json': (asked, view) => json(openApi(languageOf(asked, view.settings().page.language))),
};

/** Answers a request below `/api`. Throws a `RequestProblem`. */
export async function apiAnswer(asked: Asked, view: MonitorView): Promise<Answered> {
  const parts = /^\/api\/v1(?<collection>\/[a-z.]+)(?:\/(?<id>[^/]+)(?<rest>\/[a-z]+)?)?$/.exec(asked.path)?.groups;
  const { collection = '', id, rest = '' } = parts ?? {};
  const pattern = `${collection}${id === undefined ? '' : '/*'}${rest}`;
  const handler = Object.hasOwn(ROUTES, pattern) ? ROUTES[pattern] : undefined;
  if (handler === undefined) throw new RequestProblem('not-found');
  return handler(asked, view, decoded(id ?? ''));
}

/** Ids need no encoding, but whoever encodes them is right as well. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new RequestProblem('bad-request');
  }
}
