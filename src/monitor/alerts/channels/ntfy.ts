/** An alert as ntfy takes it: JSON to the server's root, the topic in it, so that titles may have any letters. Pure. */
import { plainLines, toneOf, type Message, type Tone } from '../message.ts';

/** In bytes: of what is longer, ntfy makes a file. */
const LONGEST_MESSAGE = 4_000;
const LONGEST_TITLE = 240;

const PRIORITIES: Readonly<Record<Tone, number>> = { critical: 5, warning: 4, notice: 3, good: 3 };
const TAGS: Readonly<Record<Tone, string>> = {
  critical: 'rotating_light',
  warning: 'warning',
  notice: 'information_source',
  good: 'white_check_mark',
};

/** The topic of an address such as `https://ntfy.sh/my-topic`, and the path before it; `null`: there is none. */
export function topicOf(url: string | URL): { readonly topic: string; readonly before: string } | null {
  const [, before = '', topic] = /^(.*\/)([\w-]{1,64})\/?$/.exec(URL.parse(String(url))?.pathname ?? '') ?? [];
  return topic === undefined ? null : { topic, before };
}

/** `url` is that of the topic; `null` where it has none. */
export function ntfyRequest(url: URL, message: Message): { readonly url: URL; readonly body: unknown } | null {
  const found = topicOf(url);
  if (found === null) return null;
  const { topic, before } = found;
  const root = new URL(url);
  root.pathname = before;
  const tone = toneOf(message);
  return {
    url: root,
    body: {
      topic,
      title: bytesOf(message.subject, LONGEST_TITLE),
      message: bytesOf(plainLines(message).join('\n').trim(), LONGEST_MESSAGE),
      priority: PRIORITIES[tone],
      tags: [TAGS[tone], message.incident.verdict],
      ...(message.site.url === null ? {} : { click: message.page ?? message.site.url }),
    },
  };
}

/** At most so many bytes of UTF-8, whole characters only. */
function bytesOf(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  let room = most - 3;
  let kept = '';
  for (const character of text) {
    room -= Buffer.byteLength(character);
    if (room < 0) break;
    kept += character;
  }
  return `${kept}…`;
}
