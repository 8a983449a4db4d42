/** How all sites stand, as JSON. Pure. */
import type { Verdict } from '../../../check.ts';
import type { SiteVerdict } from '../../site-state.ts';
import { incidentDocument, type IncidentDocument } from '../../incident/document.ts';
import { iso, isoOrNull } from '../../iso-time.ts';
import type { OverviewData, SiteRow } from '../data.ts';
import { percentOf, uptimeOf } from '../uptime.ts';

/** Times are ISO 8601 in UTC. */
export interface StatusDocument {
  /** When something was heard last; `null`: never. */
  readonly asOf: string | null;
  readonly sites: readonly SiteDocument[];
}

export interface SiteDocument {
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
