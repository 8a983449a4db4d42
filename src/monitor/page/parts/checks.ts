/** What each check of a site came to when it was last known. */
import { markup, type Markup } from '../../../report/html/markup.ts';
import { signOf } from '../../../report/html/signs.ts';
import type { SiteRow } from '../data.ts';
import type { Telling } from '../telling.ts';
import { timeTag } from '../times.ts';
import { capital } from './kinds.ts';

/** One row a check. */
export function checksTable({ site, state }: SiteRow, telling: Telling): Markup {
  const { words, messages, times } = telling;
  const checks = Object.entries(state?.checks ?? {});
  if (checks.length === 0) return markup`<p class="quiet">${words.noChecks}</p>`;
  const texts = telling.texts(site);
  const rows = checks.map(
    ([id, { status, at }]) =>
      markup`<tr class="${status}"><th scope="row">${texts.check(id)?.title ?? id}</th><td class="result">${signOf(status)} <span class="word">${capital(messages.statuses[status], telling)}</span></td><td class="when">${timeTag(at, times.short(at))}</td></tr>
`,
  );
  return markup`<table class="checks"><caption class="unseen">${words.checks}</caption><thead><tr><th scope="col">${words.check}</th><th scope="col">${words.result}</th><th scope="col">${words.lookedAt}</th></tr></thead><tbody>
${rows}</tbody></table>`;
}
