/** The last checks of a site that is new, one by one. */
import { markup, type Markup } from '../../../report/html/markup.ts';
import { signOf } from '../../../report/html/signs.ts';
import { responseTime } from '../../store/response-time.ts';
import type { RoundRecord } from '../../store/store.ts';
import { KIND_TONE } from '../../site-state.ts';
import type { Telling } from '../telling.ts';
import { timeTag } from '../times.ts';
import { capital } from './kinds.ts';

/** One row a round. */
export function roundsTable(rounds: readonly RoundRecord[], telling: Telling): Markup {
  const { words, messages, times } = telling;
  const rows = rounds.map((round) => {
    const { startedAt, verdict, scope } = round;
    const tone = KIND_TONE[verdict];
    const ms = responseTime(round);
    const time = ms === null ? '–' : messages.milliseconds(ms);
    return markup`<tr class="${tone}"><th scope="row">${timeTag(startedAt, times.short(startedAt))}</th><td class="result">${signOf(tone)} <span class="word">${capital(messages.verdicts[verdict], telling)}</span></td><td>${scope === 'full' ? words.fullCheck : time}</td></tr>
`;
  });
  return markup`<h3 class="table-title">${words.lastChecks}</h3>
<table class="last-checks"><caption class="unseen">${words.lastChecks}</caption><thead><tr><th scope="col">${words.lookedAt}</th><th scope="col">${words.result}</th><th scope="col">${words.responseTime}</th></tr></thead><tbody>
${rows}</tbody></table>`;
}
