/** An alert as a workflow of Microsoft Teams takes it: an Adaptive Card in a message. Pure. */
import { cutText } from '../../../report/cut.ts';
import { SIGNS, toneOf, unbroken, type Message, type MessageFinding, type Tone } from '../message.ts';

/** Teams takes 28 KB; a card in UTF-8 with a little of everything stays far below it with so many characters. */
const MOST_CHARACTERS = 9_000;
const LONGEST_RUN = 1_000;

const COLOURS: Readonly<Record<Tone, string>> = {
  critical: 'attention',
  warning: 'warning',
  notice: 'accent',
  good: 'good',
};

type Element = Readonly<Record<string, unknown>>;

/** The body of a "When a Teams webhook request is received" trigger. */
export function teamsBody(message: Message): Element {
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          lang: message.language,
          fallbackText: message.subject,
          msteams: { width: 'Full' },
          body: bodyOf(message),
          actions: actionsOf(message),
        },
      },
    ],
  };
}

/** Runs of text know no Markdown: whatever comes from elsewhere stands in them. */
function bodyOf(message: Message): readonly Element[] {
  const { subject, lines, findings, more, facts, words } = message;
  const tone = toneOf(message);
  const title = { size: 'large', weight: 'bolder', color: COLOURS[tone] };
  let left = MOST_CHARACTERS;
  const told = findings.filter((finding) => (left -= JSON.stringify(finding).length) >= 0);
  return [
    block([run(`${SIGNS[tone]} ${subject}`, title)]),
    ...lines.map((line) => block(prose(line))),
    ...told.flatMap((finding) => findingBlocks(finding, message)),
    ...(more === null ? [] : [block([run(more)])]),
    ...facts.map(({ label, value }) => block([run(`${label}${words.colon}`, { weight: 'bolder' }), run(value)])),
    block([run(words.sentBy, { isSubtle: true, size: 'small' })]),
  ];
}

function findingBlocks(
  { check, code, title, problem, fix, evidence, excerpt }: MessageFinding,
  { words }: Message,
): readonly Element[] {
  const heading = [run(title, { weight: 'bolder' }), run(` ${check}/${code}`, { fontType: 'monospace' })];
  return [
    { ...block(heading), separator: true, spacing: 'medium' },
    block(prose(problem)),
    ...(fix === '' ? [] : [block([run(`${words.labels.fix}${words.colon}`, { weight: 'bolder' }), ...prose(fix)])]),
    ...[...evidence, ...excerpt.map(unbroken)].map((fact) =>
      block([run(fact, { fontType: 'monospace', size: 'small' })]),
    ),
  ];
}

function actionsOf({ site, page, words }: Message): readonly Element[] {
  return [
    ...(site.url === null ? [] : [{ type: 'Action.OpenUrl', title: words.labels.openSite, url: site.url }]),
    ...(page === null ? [] : [{ type: 'Action.OpenUrl', title: words.labels.statusPage, url: page }]),
  ];
}

function block(inlines: readonly Element[]): Element {
  return { type: 'RichTextBlock', inlines };
}

function run(text: string, style: Element = {}): Element {
  return { type: 'TextRun', text: cutText(text, LONGEST_RUN), ...style };
}

/** A sentence of ours: its code in a typewriter's letters. */
function prose(text: string): readonly Element[] {
  return text
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? run(part, { fontType: 'monospace' }) : run(part)))
    .filter(({ text: shown }) => shown !== '');
}
