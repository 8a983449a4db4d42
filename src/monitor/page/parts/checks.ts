/** What each check of a site came to when it was last known, and what was found. */
import { markup, type Markup } from '../../../report/html/markup.ts';
import { iconOf } from '../../../report/html/icons.ts';
import type { IncidentFinding } from '../../incident/incident.ts';
import type { SiteRow } from '../data.ts';
import type { PageContext } from '../page-context.ts';
import { timeTag } from '../times.ts';
import { findingsOf } from './incident.ts';
import { capital } from './kinds.ts';

/** One row a check; what failed or warned leads to its findings. */
export function checksTable(row: SiteRow, context: PageContext): Markup {
  const { words, messages, times } = context;
  const { site, state } = row;
  const checks = Object.entries(state?.checks ?? {});
  if (checks.length === 0) return markup`<p class="quiet">${words.noChecks}</p>`;
  const texts = context.texts(site);
  const rows = checks.map(([id, { status, at }]) => {
    const anchor = anchorOf(id, row);
    const word = capital(messages.statuses[status], context);
    const result = anchor === null ? markup`${word}` : markup`<a href="#${anchor}">${word}</a>`;
    return markup`<tr class="${status}"><th scope="row">${texts.check(id)?.title ?? id}</th><td class="result">${iconOf(status)} <span class="word">${result}</span></td><td class="when">${timeTag(at, times.short(at))}</td></tr>
`;
  });
  return markup`<table class="checks"><caption class="unseen">${words.checks}</caption><thead><tr><th scope="col">${words.check}</th><th scope="col">${words.result}</th><th scope="col">${words.lookedAt}</th></tr></thead><tbody>
${rows}</tbody></table>`;
}

/** Findings with their fixes, by check; those that an open incident shows are left out. */
export function findingsSection(row: SiteRow, context: PageContext): Markup | null {
  const { words } = context;
  const items = Object.keys(row.state?.checks ?? {}).flatMap((id) => {
    if (incidentOf(id, row) !== null) return [];
    const list = findingsOf(foundBy(id, row), row.site, context);
    return list === null
      ? []
      : [
          markup`<div class="card" id="${idOf(id)}">${list}</div>
`,
        ];
  });
  if (items.length === 0) return null;
  return markup`<section aria-labelledby="_findings">
<h2 id="_findings">${words.findings}</h2>
${items}
</section>`;
}

/** Where on the page the findings of a check are; `null`: there are none. */
function anchorOf(id: string, row: SiteRow): string | null {
  const incident = incidentOf(id, row);
  if (incident !== null) return `_${incident}`;
  return foundBy(id, row).length === 0 ? null : idOf(id);
}

const idOf = (check: string): string => `_findings-${check}`;

function foundBy(id: string, { state }: SiteRow): readonly IncidentFinding[] {
  const { findings = [], warnings = [] } = state?.checks[id] ?? {};
  return [...findings, ...warnings];
}

/** The open incident that shows what a check found. */
function incidentOf(id: string, { incidents, state }: SiteRow): string | null {
  if (state?.checks[id]?.findings.length === 0) return null;
  return incidents.find(({ findings }) => findings.some(({ check }) => check === id))?.id ?? null;
}
