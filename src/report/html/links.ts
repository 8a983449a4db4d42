/** Links out of the report: to the site itself and to nowhere else. */
import { markup, type Markup } from './markup.ts';

/** Longer ones are cut by servers and browsers, and are no use to anybody. */
const LONGEST_URL = 2000;

/** The URL as it may stand in `href`: http or https, of the site's own origin, without userinfo. `null` otherwise. */
function liveUrl(text: string, site: string): string | null {
  if (text.length > LONGEST_URL || !/^https?:/i.test(text) || !URL.canParse(text) || !URL.canParse(site)) return null;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && url.origin === new URL(site).origin && url.username === '' && url.password === '' ? url.href : null;
}

/** A link to the site that tells it nothing of where it was followed; the label alone where there is nothing to link to. */
export function linkTo(text: string, site: string, label: Markup, kind = 'live'): Markup {
  const href = liveUrl(text, site);
  return href === null ? label : markup`<a class="${kind}" href="${href}" rel="noreferrer noopener">${label}</a>`;
}
