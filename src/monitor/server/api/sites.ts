/** `/api/v1/sites` */
import type { Json } from '../../../answer.ts';
import type { CheckResult } from '../../../check.ts';
import { groupsOf } from '../../../report/groups.ts';
import type { CheckState } from '../../incident/incident.ts';
import { siteStatusAt } from '../../site-state.ts';
import type { MonitorView, SiteView } from '../../view.ts';
import { json, type Answered, type Asked } from '../answer.ts';
import { RequestProblem } from '../problem.ts';
import { iso, isoOrNull } from '../../iso-time.ts';
import { demandKnown } from './query.ts';

/** All sites, in the order of the configuration. */
export async function siteList({ search }: Asked, view: MonitorView): Promise<Answered> {
  demandKnown(search, []);
  return json(await Promise.all(view.sites().map((site) => summary(site, view.now()))));
}

/** One site with its checks. */
export async function siteDetail({ search }: Asked, id: string, view: MonitorView): Promise<Answered> {
  demandKnown(search, []);
  const site = siteView(view, id);
  const checks = Object.entries(site.state?.checks ?? {}).map(([check, state]) =>
    checkDocument(check, state, site.results.get(check)),
  );
  return json({ ...(await summary(site, view.now())), checks });
}

/** The site of an id. Throws a `RequestProblem`. */
export function siteView(view: MonitorView, id: string): SiteView {
  const found = view.sites().find(({ site }) => site.id === id);
  if (found === undefined) throw new RequestProblem('unknown-site');
  return found;
}

async function summary(of: SiteView, now: number): Promise<{ readonly [key: string]: Json }> {
  const { site, url, state, maintenance, nextAt } = of;
  const { verdict } = await siteStatusAt(of, now);
  return {
    id: site.id,
    title: site.title,
    url,
    tags: [...site.tags],
    verdict,
    lastAt: isoOrNull(state?.lastAt),
    lastGoodAt: isoOrNull(state?.lastGoodAt),
    nextAt: isoOrNull(nextAt),
    incident: state?.incident?.id ?? null,
    maintenance:
      maintenance === null
        ? null
        : { from: iso(maintenance.from), to: iso(maintenance.to), reason: maintenance.reason },
    objectiveMs: site.objectiveMs,
  };
}

/** What was seen since the start stands beside what is remembered of the time before it. */
function checkDocument(id: string, { status, at, scope }: CheckState, result: CheckResult | undefined): Json {
  return {
    id,
    status,
    at: iso(at),
    scope,
    httpStatus: result?.httpStatus ?? null,
    durationMs: result?.durationMs ?? null,
    findings:
      result === undefined
        ? []
        : groupsOf(result).map(({ rule, severity, count }) => ({ code: rule, severity, count })),
  };
}
