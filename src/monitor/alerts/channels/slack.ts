/** An alert as Slack takes it: blocks, with the text of notifications beside them. Pure. */
import { cutText } from '../../../report/cut.ts';
import { SIGNS, toneOf, unbroken, type Message, type MessageFinding } from '../message.ts';

/** Of Slack, in characters: the text of a header, of a section; a message has 50 blocks at most. */
const LONGEST_HEADER = 150;
const LONGEST_SECTION = 3_000;
/** Where an escaped text is cut, nothing of its `&amp;` may be lost: so texts are cut before, with room for escapes. */
const LONGEST_PART = 500;

type Block = Readonly<Record<string, unknown>>;

/** The body of an incoming webhook. */
export function slackBody(message: Message): Block {
  const { subject, lines, findings, more, words, site, page } = message;
  const title = `${SIGNS[toneOf(message)]} ${subject}`;
  const links = [
    ...(site.url === null ? [] : [link(site.url, words.labels.openSite)]),
    ...(page === null ? [] : [link(page, words.labels.statusPage)]),
  ];
  return {
    // Shown by notifications; link_names and parse stay off, so that no name in it calls anybody.
    text: escaped(title),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: cutText(title, LONGEST_HEADER - 10), emoji: true } },
      section(lines.map((line) => escaped(line))),
      ...findings.map((finding) => section(findingLines(finding, message))),
      ...(more === null ? [] : [section([escaped(more)])]),
      section(message.facts.map(({ label, value }) => `*${escaped(label)}*${words.colon}${escaped(value)}`)),
      context([...links, escaped(words.sentBy)].join(' · ')),
    ],
  };
}

function findingLines(
  { check, code, title, problem, fix, evidence, excerpt }: MessageFinding,
  { words }: Message,
): readonly string[] {
  return [
    `*${escaped(title)}* (${inCode(`${check}/${code}`)})`,
    escaped(problem),
    ...(fix === '' ? [] : [`*${escaped(words.labels.fix)}*${words.colon}${escaped(fix)}`]),
    ...evidence.map((fact) => inCode(fact)),
    ...excerpt.map((line) => inCode(unbroken(line))),
  ];
}

function section(lines: readonly string[]): Block {
  let room = LONGEST_SECTION;
  const kept = lines.filter((line) => (room -= line.length + 1) >= 0);
  return { type: 'section', text: { type: 'mrkdwn', text: kept.join('\n') || '–', verbatim: true } };
}

function context(text: string): Block {
  return { type: 'context', elements: [{ type: 'mrkdwn', text, verbatim: true }] };
}

/** The three characters that mean something to Slack everywhere: mentions and links need `<`. */
function escaped(text: string): string {
  return cutText(text, LONGEST_PART * 2)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** What comes from elsewhere: code cannot be closed from inside, and nothing in it is bold or a link. */
function inCode(text: string): string {
  return `\`${escaped(cutText(text, LONGEST_PART)).replaceAll('`', 'ˋ')}\``;
}

function link(url: string, text: string): string {
  return `<${escaped(url).replaceAll('|', '%7C')}|${escaped(text)}>`;
}
