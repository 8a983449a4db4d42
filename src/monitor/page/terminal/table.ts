/** How all sites stand, for a terminal. Pure. */
import { printable } from '../../../printable.ts';
import type { Style } from '../../../report/style.ts';
import { table, type TableCell } from '../../history/table.ts';
import type { OverviewData, SiteRow } from '../data.ts';
import { headlineOf, overallKind } from '../parts/frame.ts';
import { rtoText } from '../parts/incident.ts';
import { kindWord, statusNote } from '../parts/kinds.ts';
import type { Kind, SiteVerdict } from '../../site-state.ts';
import type { PageContext } from '../page-context.ts';
import { uptimeOf, percentOf } from '../uptime.ts';
import type { Verdict } from '../../../check.ts';
import { incidentDocument, type IncidentDocument } from '../../incident/document.ts';
import { iso, isoOrNull } from '../../iso-time.ts';

/** The colour of a kind, as the report has them. */
const STYLE_OF: Readonly<Record<Kind, keyof Pick<Style, 'good' | 'bad' | 'doubtful' | 'quiet'>>> = {
  healthy: 'good',
  down: 'bad',
  unstable: 'bad',
  degraded: 'bad',
  stale: 'doubtful',
  unknown: 'doubtful',
  new: 'quiet',
  maintenance: 'quiet',
};

/** A table with a line a site, and all of them in one sentence. */
export function statusTable(data: OverviewData, style: Style, context: PageContext): string {
  const { words, times } = context;
  const summary = style[STYLE_OF[overallKind(data)]](printable(headlineOf(data, context)));
  const asOf = data.asOf === null ? '' : `${style.quiet(`${words.asOf} ${times.instant(data.asOf)}`)}\n`;
  if (data.rows.length === 0) return `${summary}\n`;
  const header = ['', words.site, words.uptime, words.lookedAt, ''];
  return `${table(
    header,
    data.rows.map((row) => cellsOf(row, data, style, context)),
    style,
  )}\n${summary}\n${asOf}`;
}

function cellsOf(row: SiteRow, { days }: OverviewData, style: Style, context: PageContext): readonly TableCell[] {
  const { times } = context;
  const { status, site } = row;
  const up = uptimeOf(days.get(site.id) ?? []);
  return [
    { text: kindWord(status.kind, context), style: style[STYLE_OF[status.kind]] },
    { text: printable(site.id), style: style.strong },
    { text: up === null ? '–' : times.percent(up), isRight: true },
    { text: status.at === null ? '–' : times.ago(status.at) },
    { text: noteOf(row, context), style: style.quiet },
  ];
}

/** The incident that is open, the maintenance that goes on, or what else is to be said. */
function noteOf(row: SiteRow, context: PageContext): string {
  const { incident, maintenance } = row;
  const { words, times } = context;
  const note = statusNote(row, context);
  if (note !== null) return printable(note);
  if (maintenance !== null)
    return printable(`${words.kinds.maintenance} ${words.until} ${times.instant(maintenance.to)}`);
  if (incident === null) return '';
  const lasting = rtoText(incident, context);
  const what = incident.flapping ? `${words.unsteady}, ${lasting}` : lasting;
  return printable(words.said(incident.checks.join(', '), what));
}

/* How all sites stand, as JSON. Pure. */

/** Times are ISO 8601 in UTC. */
interface StatusDocument {
  /** When something was heard last; `null`: never. */
  readonly asOf: string | null;
  readonly sites: readonly SiteDocument[];
}

interface SiteDocument {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  /** `unknown` where nothing was heard for too long, and where nothing was ever. */
  readonly verdict: SiteVerdict;
  /** What the last run found, however long ago; `null`: there was none. */
  readonly lastVerdict: Verdict | null;
  readonly lastAt: string | null;
  readonly maintenance: { readonly from: string; readonly to: string; readonly reason: string | null } | null;
  /** Of the last 90 days, rounded down; `null`: nothing is known. */
  readonly uptimePercent: number | null;
  /** The one that goes on. */
  readonly incident: IncidentDocument | null;
}

/** The document. */
export function statusDocument(data: OverviewData): StatusDocument {
  return { asOf: isoOrNull(data.asOf), sites: data.rows.map((row) => siteDocument(row, data)) };
}

function siteDocument(row: SiteRow, { days }: OverviewData): SiteDocument {
  const { site, url, status, maintenance, incident } = row;
  const up = uptimeOf(days.get(site.id) ?? []);
  return {
    id: site.id,
    title: site.title,
    url,
    verdict: status.verdict,
    lastVerdict: status.last,
    lastAt: isoOrNull(status.at),
    maintenance:
      maintenance === null
        ? null
        : { from: iso(maintenance.from), to: iso(maintenance.to), reason: maintenance.reason },
    uptimePercent: up === null ? null : percentOf(up),
    incident: incident === null ? null : incidentDocument(incident),
  };
}

/** 1: a site is not well, 3: nothing is known of one, 0: all are well. A site that is worked on may be unwell. */
export function statusOf(rows: readonly SiteRow[]): 0 | 1 | 3 {
  const kinds = rows.map(({ status }) => status.kind);
  if (kinds.some((kind) => ['down', 'unstable', 'degraded', 'stale'].includes(kind))) return 1;
  return kinds.some((kind) => kind === 'unknown' || kind === 'new') ? 3 : 0;
}
