/** The status of all sites, for a terminal and as JSON. */
import { printable } from '../../text/printable.ts';
import type { Style } from '../../report/terminal.ts';
import { table } from '../../text/width.ts';
import { incidentDocument } from '../incident/document.ts';
import { iso, isoOrNull } from '../../core/time.ts';
import { failingFrom } from '../locations.ts';
import type { fleetDocument } from '../fleet-document.ts';
import type { Kind } from '../site-state.ts';
import type { OverviewData, SiteRow } from './data.ts';
import { rtoText } from './incident.ts';
import { headlineOf, type PageContext, statusWords, troubleText } from './page.ts';
import { percentOf, uptimeOf } from './uptime.ts';

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

export function statusTable(data: OverviewData, style: Style, context: PageContext): string {
  const { words, times } = context;
  const summary = style[STYLE_OF[data.kind]](printable(headlineOf(data, context)));
  const asOf = data.asOf === null ? '' : `${style.quiet(`${words.asOf} ${times.instant(data.asOf)}`)}\n`;
  if (data.rows.length === 0) return `${summary}\n`;
  const rows = data.rows.map((row): readonly string[] => {
    const { status, site } = row;
    const up = uptimeOf(data.days.get(site.id) ?? []);
    return [
      style[STYLE_OF[status.kind]](printable(statusWords(row, context).word)),
      style.strong(printable(site.id)),
      up === null ? '–' : times.percent(up),
      status.at === null ? '–' : times.ago(status.at),
      style.quiet(printable(noteOf(row, context))),
    ];
  });
  const heads = ['', words.site, words.uptime, words.lookedAt, ''].map((text) => style.quiet(text));
  return `${table([heads, ...rows], [2])}\n${summary}\n${asOf}`;
}

function noteOf(row: SiteRow, context: PageContext): string {
  const { incident, maintenance } = row;
  const { words, times } = context;
  const { note } = statusWords(row, context);
  if (note !== null) return note;
  if (maintenance !== null) return `${words.kinds.maintenance} ${words.until} ${times.instant(maintenance.to)}`;
  if (incident === null) return '';
  const lasting = rtoText(incident, context);
  const texts = context.texts(row.site);
  return words.said(
    incident.checks.map((id) => texts.title(id)).join(', '),
    incident.flapping ? `${words.unsteady}, ${lasting}` : lasting,
  );
}

/** A member that is silent for longer is not shown, unless it was the last one of its location. */
const SHOWN_SILENT_MS = 10 * 60_000;

export function fleetTable({ locations, members }: Fleet, style: Style, context: PageContext): string {
  const { words, times, now } = context;
  const { fleet, location: head } = words.locations;
  const silentMs = ({ heartbeatAt }: FleetMember): number => now - Date.parse(heartbeatAt);
  const memberRow = (name: string, member: FleetMember, backlog = ''): readonly string[] => [
    (member.alive ? style.strong : style.doubtful)(printable(name)),
    printable(`${member.host} (${member.pid})`),
    printable(member.version),
    (member.alive ? String : style.doubtful)(times.ago(Date.parse(member.heartbeatAt))),
    times.number(member.running),
    backlog,
  ];
  const runners = locations.flatMap(({ id, title, backlog }): readonly (readonly string[])[] => {
    const all = members.filter(({ role, location }) => role === 'runner' && location === id);
    const recent = all.filter((member) => silentMs(member) < SHOWN_SILENT_MS);
    const shown = recent.length > 0 ? recent : all.toSorted((a, b) => silentMs(a) - silentMs(b)).slice(0, 1);
    const waiting = backlog === null ? '–' : times.number(backlog);
    if (shown.length > 0) return shown.map((member, index) => memberRow(title, member, index === 0 ? waiting : ''));
    return [[style.bad(printable(title)), style.bad(fleet.noRunner), '', '', '', waiting]];
  });
  const coordinators = members
    .filter((member) => member.role === 'coordinator' && silentMs(member) < SHOWN_SILENT_MS)
    .map((member) => memberRow(member.acting && member.alive ? fleet.acts : fleet.standsBy, member));
  const heads = [head, fleet.host, fleet.version, fleet.heartbeat, fleet.running, fleet.backlog].map((text) =>
    style.quiet(text),
  );
  const troubles = members.flatMap((member) => {
    if (!member.alive) return [];
    const title = locations.find(({ id }) => id === member.location)?.title;
    const texts = member.problems.map((trouble) => troubleText(trouble, words));
    return title === undefined ? texts : texts.map((text) => words.said(title, text));
  });
  const lines = [...new Set(troubles)].map((text) => `${style.bad(printable(text))}\n`);
  return `\n${table([heads, ...runners, ...coordinators], [4, 5])}${lines.join('')}`;
}

type Fleet = Awaited<ReturnType<typeof fleetDocument>>;
type FleetMember = Fleet['members'][number];

/** What `docvitals status --format json` prints. Times are ISO 8601 in UTC. */
export function statusDocument({ asOf, rows, days }: OverviewData, fleet: Fleet | null) {
  const sites = rows.map(({ site, url, state, status, maintenance, incident }) => {
    const up = uptimeOf(days.get(site.id) ?? []);
    return {
      id: site.id,
      title: site.title,
      url,
      /** `unknown` where there is no recent result, or none at all. */
      verdict: status.verdict,
      /** Ids of the locations from which it fails, too few for an incident. */
      failingFrom: failingFrom(state),
      lastVerdict: status.last,
      lastAt: isoOrNull(status.at),
      maintenance: maintenance && { ...maintenance, from: iso(maintenance.from), to: iso(maintenance.to) },
      /** Of the last 90 days, rounded down; `null`: nothing is known. */
      uptimePercent: up === null ? null : percentOf(up),
      incident: incident && incidentDocument(incident),
    };
  });
  return { asOf: isoOrNull(asOf), sites, ...(fleet === null ? {} : { fleet }) };
}

/** The exit status: 1 when a site is not healthy, 3 when nothing is known of one, 0 otherwise, as in maintenance. */
export function statusOf(rows: readonly SiteRow[]): 0 | 1 | 3 {
  const kinds = rows.map(({ status }) => status.kind);
  if (kinds.some((kind) => ['down', 'unstable', 'degraded', 'stale'].includes(kind))) return 1;
  return kinds.some((kind) => kind === 'unknown' || kind === 'new') ? 3 : 0;
}
