/** The status of all sites, for a terminal and as JSON. */
import { printable } from '../../printable.ts';
import type { Style } from '../../report/style.ts';
import { table, type TableCell } from '../history/table.ts';
import { incidentDocument } from '../incident/document.ts';
import { iso, isoOrNull } from '../iso-time.ts';
import { failingFrom } from '../locations.ts';
import type { Kind } from '../site-state.ts';
import type { PageContext } from './context.ts';
import type { OverviewData, SiteRow } from './data.ts';
import { rtoText } from './incident.ts';
import { headlineOf, overallKind, statusNote, statusWord } from './kinds.ts';
import { percentOf, uptimeOf } from './uptime.ts';

/** The colour of a kind, as in reports. */
const STYLE_OF: Readonly<Record<Kind, 'good' | 'bad' | 'doubtful' | 'quiet'>> = {
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
  const rows = data.rows.map((row): readonly TableCell[] => {
    const { status, site } = row;
    const up = uptimeOf(data.days.get(site.id) ?? []);
    return [
      { text: printable(statusWord(row, context)), style: style[STYLE_OF[status.kind]] },
      { text: printable(site.id), style: style.strong },
      { text: up === null ? '–' : times.percent(up), isRight: true },
      { text: status.at === null ? '–' : times.ago(status.at) },
      { text: printable(noteOf(row, context)), style: style.quiet },
    ];
  });
  return `${table(['', words.site, words.uptime, words.lookedAt, ''], rows, style)}\n${summary}\n${asOf}`;
}

/** The open incident, the current maintenance, or what else there is to know. */
function noteOf(row: SiteRow, context: PageContext): string {
  const { incident, maintenance } = row;
  const { words, times } = context;
  const note = statusNote(row, context);
  if (note !== null) return note;
  if (maintenance !== null) return `${words.kinds.maintenance} ${words.until} ${times.instant(maintenance.to)}`;
  if (incident === null) return '';
  const lasting = rtoText(incident, context);
  return words.said(incident.checks.join(', '), incident.flapping ? `${words.unsteady}, ${lasting}` : lasting);
}

/** What `docvitals status --format json` prints. Times are ISO 8601 in UTC. */
export function statusDocument({ asOf, rows, days }: OverviewData) {
  const sites = rows.map(({ site, url, state, status, maintenance, incident }) => {
    const up = uptimeOf(days.get(site.id) ?? []);
    return {
      id: site.id,
      title: site.title,
      url,
      /** `unknown` where nothing was heard for too long, or never. */
      verdict: status.verdict,
      /** Ids of the locations from which it fails, too few for an incident. */
      failingFrom: failingFrom(state),
      /** What the last run found, however long ago. */
      lastVerdict: status.last,
      lastAt: isoOrNull(status.at),
      maintenance: maintenance && { ...maintenance, from: iso(maintenance.from), to: iso(maintenance.to) },
      /** Of the last 90 days, rounded down; `null`: nothing is known. */
      uptimePercent: up === null ? null : percentOf(up),
      /** The open one. */
      incident: incident && incidentDocument(incident),
    };
  });
  return { asOf: isoOrNull(asOf), sites };
}

/** The exit status: 1 when a site is not healthy, 3 when nothing is known of one, 0 otherwise, as in maintenance. */
export function statusOf(rows: readonly SiteRow[]): 0 | 1 | 3 {
  const kinds = rows.map(({ status }) => status.kind);
  if (kinds.some((kind) => ['down', 'unstable', 'degraded', 'stale'].includes(kind))) return 1;
  return kinds.some((kind) => kind === 'unknown' || kind === 'new') ? 3 : 0;
}
