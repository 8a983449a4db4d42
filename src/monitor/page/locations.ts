/** What each location sees of a site: its uptime and response times, and the results of each check. */
import { capital, iconOf, type Tone } from '../../report/html/frame.ts';
import { markup, type Markup } from '../../report/html/markup.ts';
import type { SiteLocation } from '../locations.ts';
import { KIND_TONE } from '../site-state.ts';
import { bars, barsCaption, keysOf, responseFigure, topOf } from './charts.ts';
import { timeTag, type PageContext } from './context.ts';
import type { LocationData, SiteData } from './data.ts';
import { quiet } from './frame.ts';
import { toneTag } from './kinds.ts';

/** Why nothing is known of a site from a location; `null`: something is. */
type Silence = 'never' | 'silent' | 'cutOff' | 'ownProblem';

function silenceOf({ status, isSilent }: SiteLocation, probeSide = status?.probeSide ?? null): Silence | null {
  if (status === null) return 'never';
  if (isSilent) return 'silent';
  if (probeSide === null) return null;
  return probeSide === 'no-network' ? 'cutOff' : 'ownProblem';
}

function noteOf(location: LocationData, { words: { locations }, times }: PageContext): string | null {
  const silence = silenceOf(location);
  if (silence === null) return null;
  return silence === 'silent'
    ? locations.notes.silent(times.instant(location.status?.at ?? 0))
    : locations.notes[silence];
}

/** One card for each location: the same drawings as of the site, on one scale. */
export function locationCards({ locations }: SiteData, context: PageContext): Markup | null {
  const { words, messages, language } = context;
  if (locations.length === 0) return null;
  const points = locations.flatMap(({ response }) => response?.points ?? []);
  const top = topOf(points);
  const cards = locations.map((location) => {
    const { title, uptime, response, hours, verdict } = location;
    const silence = silenceOf(location);
    const tag =
      silence === null
        ? toneTag(KIND_TONE[verdict], capital(messages.verdicts[verdict], language))
        : toneTag('unknown', capital(words.locations[silence], language));
    const note = noteOf(location, context);
    return markup`<li class="card"><div class="line"><h3>${title}</h3>${tag}</div>
${note === null ? null : quiet(note)}
${uptime === null ? quiet(words.unreadable) : markup`${bars(uptime, context)}${barsCaption(uptime, context)}`}
${response === null ? null : responseFigure({ response, hours }, context, top)}</li>
`;
  });
  return markup`<p class="legend">${words.locations.about}</p>
<ul class="locations">${cards}</ul>
${points.length === 0 ? null : keysOf(points, context)}`;
}

export function locationRows(check: string, title: string, { locations }: SiteData, context: PageContext) {
  const { words, messages, times, language } = context;
  return locations.flatMap((location) => {
    const found = location.status?.checks.get(check);
    if (found === undefined) return [];
    const { status, at, responseMs, probeSide } = found;
    const silence = silenceOf(location, probeSide);
    const tone: Tone = silence === null ? status : 'unknown';
    const word = silence === null ? messages.statuses[status] : words.locations[silence];
    const name = markup`<span class="unseen">${title}: </span>${location.title}`;
    const time = responseMs === null ? '–' : messages.milliseconds(responseMs);
    const cells = [name, resultOf(tone, capital(word, language)), time, timeTag(at, times.short(at))];
    return [{ tone: `${tone} from`, cells }];
  });
}

export function resultOf(tone: Tone, word: Markup | string): Markup {
  return markup`<span class="result">${iconOf(tone)} <span class="word">${word}</span></span>`;
}
