/** `/api/v1/incidents` */
import type { Json } from '../../../answer.ts';
import { siteTexts } from '../../../project/sites.ts';
import { frameLines } from '../../../report/plain-findings.ts';
import { loadTexts, type Texts } from '../../../texts.ts';
import { currentIncidents } from '../../current-incidents.ts';
import { incidentDocument } from '../../incident/document.ts';
import { iso } from '../../iso-time.ts';
import type { Incident } from '../../incident/incident.ts';
import type { IncidentQuery } from '../../store/store.ts';
import type { MonitorView } from '../../view.ts';
import { json, type Answered, type Asked } from '../answer.ts';
import { demandedLanguage, languageOf } from '../language.ts';
import { RequestProblem } from '../problem.ts';
import { demandKnown, flagParameter, limitParameter, one, timeParameter } from './query.ts';

const DEFAULT_LIMIT = 100;
const MOST = 1_000;

/** The newest first. Where there are more, a `Link` leads to them (RFC 8288). */
export async function incidentList({ path, search }: Asked, view: MonitorView): Promise<Answered> {
  const incidents = currentIncidents(view);
  demandKnown(search, ['site', 'open', 'since', 'before', 'limit']);
  const limit = limitParameter(search, DEFAULT_LIMIT, MOST);
  const query: Filter = {
    openOf: view.settings().sites.map(({ id }) => id),
    ...given('site', one(search, 'site')),
    ...given('open', flagParameter(search, 'open')),
    ...given('since', timeParameter(search, 'since')),
    ...given('before', timeParameter(search, 'before')),
  };
  const found = await incidents.incidents({ ...query, limit: limit + 1 });
  const page = await wholePage(found, limit, query, incidents);
  const last = page.at(-1);
  if (found.length <= limit || last === undefined) return json(page.map(documentOf));
  const next = new URLSearchParams(search);
  next.set('before', iso(last.detectedAt));
  return json(page.map(documentOf), { link: `<${path}?${next.toString()}>; rel="next"` });
}

type Filter = Omit<IncidentQuery, 'limit'>;

/**
 * A page ends between two times, so that the next one, which begins before its last, leaves out nobody: those that were
 * detected in the millisecond of the first that has no place go with it. Where that leaves nothing, they all stay.
 */
async function wholePage(
  found: readonly Incident[],
  limit: number,
  query: Filter,
  incidents: ReturnType<typeof currentIncidents>,
): Promise<readonly Incident[]> {
  const cut = found[limit]?.detectedAt;
  if (cut === undefined) return found;
  const page = found.filter(({ detectedAt }) => detectedAt !== cut);
  if (page.length > 0) return page;
  return incidents.incidents({ ...query, since: cut, before: cut + 1, limit: MOST });
}

function given<N extends string, V>(name: N, value: V | null): Partial<Record<N, V>> {
  return value === null ? {} : ({ [name]: value } as Partial<Record<N, V>>);
}

const documentOf = (incident: Incident): Json => ({ ...incidentDocument(incident) });

/** One incident, with what failed when it was looked at last, in words. */
export async function incidentDetail(asked: Asked, id: string, view: MonitorView): Promise<Answered> {
  demandKnown(asked.search, ['lang']);
  const incident = await currentIncidents(view).incident(id);
  if (incident === null) throw new RequestProblem('unknown-incident');
  const language = demandedLanguage(asked) ?? languageOf(asked, view.settings().page.language);
  const site = view.settings().sites.find(({ id: known }) => known === incident.site);
  const texts = await (site === undefined ? loadTexts(language) : siteTexts(site, language));
  const headers = { 'content-language': language, vary: 'Accept-Language' };
  return json(
    {
      ...incidentDocument(incident),
      findings: incident.findings.map(reported(texts, view.settings().page.details !== false)),
      language,
    },
    headers,
  );
}

/** Without `details` neither the fix nor anything that the site sent is shown. */
function reported(texts: Texts, details: boolean): (finding: Incident['findings'][number]) => Json {
  return (finding) => {
    const { check, code, evidence, location } = finding;
    const frame = frameLines(finding);
    const { problem = null, fix = null } = texts.finding(check, code) ?? {};
    if (!details) return { check, code, problem, fix: null, evidence: {}, location: null, excerpt: null };
    return {
      check,
      code,
      problem,
      fix,
      evidence: evidence as Json,
      location: location === null ? null : { ...location },
      excerpt: frame.length === 0 ? null : frame.join('\n'),
    };
  };
}
