/** The last checks of a site that is new, one by one. */
import { markup, type Markup } from '../../../report/html/markup.ts';
import { iconOf } from '../../../report/html/icons.ts';
import { responseTime, type RunRecord } from '../../store/store.ts';
import { KIND_TONE } from '../../site-state.ts';
import type { PageContext } from '../page-context.ts';
import { timeTag } from '../times.ts';
import { capital } from './kinds.ts';

/** One row a run. */
export function runsTable(runs: readonly RunRecord[], context: PageContext): Markup {
  const { words, messages, times } = context;
  const rows = runs.map((run) => {
    const { startedAt, verdict, scope } = run;
    const tone = KIND_TONE[verdict];
    const ms = responseTime(run);
    const time = ms === null ? '–' : messages.milliseconds(ms);
    return markup`<tr class="${tone}"><th scope="row">${timeTag(startedAt, times.short(startedAt))}</th><td class="result">${iconOf(tone)} <span class="word">${capital(messages.verdicts[verdict], context)}</span></td><td>${scope === 'full' ? words.fullCheck : time}</td></tr>
`;
  });
  return markup`<h3 class="table-title">${words.lastChecks}</h3>
<table class="last-checks"><caption class="unseen">${words.lastChecks}</caption><thead><tr><th scope="col">${words.lookedAt}</th><th scope="col">${words.result}</th><th scope="col">${words.responseTime}</th></tr></thead><tbody>
${rows}</tbody></table>`;
}
