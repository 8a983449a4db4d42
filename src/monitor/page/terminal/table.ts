/** How all sites stand, for a terminal. Pure. */
import { printable } from '../../../printable.ts';
import type { Style } from '../../../report/style.ts';
import { table, type TableCell } from '../../history/table.ts';
import type { OverviewData, SiteRow } from '../data.ts';
import { headlineOf, overallKind } from '../parts/banner.ts';
import { objectiveText } from '../parts/incident.ts';
import { kindWord, standingNote } from '../parts/kinds.ts';
import type { Kind } from '../../site-state.ts';
import type { Telling } from '../telling.ts';
import { uptimeOf } from '../uptime.ts';

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
export function statusTable(data: OverviewData, style: Style, telling: Telling): string {
  const { words, times } = telling;
  const summary = style[STYLE_OF[overallKind(data)]](printable(headlineOf(data, telling)));
  const asOf = data.asOf === null ? '' : `${style.quiet(`${words.asOf} ${times.instant(data.asOf)}`)}\n`;
  if (data.rows.length === 0) return `${summary}\n`;
  const header = ['', words.site, words.uptime, words.lookedAt, ''];
  return `${table(
    header,
    data.rows.map((row) => cellsOf(row, data, style, telling)),
    style,
  )}\n${summary}\n${asOf}`;
}

function cellsOf(row: SiteRow, { days }: OverviewData, style: Style, telling: Telling): readonly TableCell[] {
  const { times } = telling;
  const { standing, site } = row;
  const up = uptimeOf(days.get(site.id) ?? []);
  return [
    { text: kindWord(standing.kind, telling), style: style[STYLE_OF[standing.kind]] },
    { text: printable(site.id), style: style.strong },
    { text: up === null ? '–' : times.percent(up), isRight: true },
    { text: standing.at === null ? '–' : times.ago(standing.at) },
    { text: noteOf(row, telling), style: style.quiet },
  ];
}

/** The incident that is open, the maintenance that goes on, or what else is to be said. */
function noteOf(row: SiteRow, telling: Telling): string {
  const { incident, maintenance } = row;
  const { words, times } = telling;
  const note = standingNote(row, telling);
  if (note !== null) return printable(note);
  if (maintenance !== null)
    return printable(`${words.kinds.maintenance} ${words.until} ${times.instant(maintenance.to)}`);
  if (incident === null) return '';
  const lasting = objectiveText(incident, telling);
  const what = incident.flapping ? `${words.unsteady}, ${lasting}` : lasting;
  return printable(words.said(incident.checks.join(', '), what));
}
