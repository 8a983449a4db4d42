/** An alert as Discord takes it: one embed, nobody mentioned. Pure. */
import { cutText } from '../../../report/cut.ts';
import { iso } from '../../iso-time.ts';
import { SIGNS, toneOf, unbroken, type Message, type MessageFinding, type Tone } from '../message.ts';

/** Of Discord, in characters. */
const LONGEST_TITLE = 256;
const LONGEST_DESCRIPTION = 4_096;
const LONGEST_VALUE = 1_024;
/** Of all texts of an embed together, with some room for the marks of what was cut. */
const LONGEST_EMBED = 5_900;

const COLOURS: Readonly<Record<Tone, number>> = {
  critical: 0xc62828,
  warning: 0xef6c00,
  notice: 0xf9a825,
  good: 0x2e7d32,
};

interface Field {
  readonly name: string;
  readonly value: string;
}

/** The body of a webhook. */
export function discordBody(message: Message): Readonly<Record<string, unknown>> {
  const { subject, lines, findings, more, facts, words, site, page, incident } = message;
  const tone = toneOf(message);
  const title = cutText(`${SIGNS[tone]} ${plain(subject)}`, LONGEST_TITLE - 10);
  const description = cutText(
    [...lines, ...(page === null ? [] : [page])].map(prose).join('\n'),
    LONGEST_DESCRIPTION - 20,
  );
  const fields = within(
    [
      {
        name: words.labels.incident,
        value: facts.map(({ label, value }) => `**${plain(label)}**${words.colon}${inCode(value)}`).join('\n'),
      },
      ...findings.map((finding) => fieldOf(finding, message)),
      ...(more === null ? [] : [{ name: '…', value: plain(more) }]),
    ],
    LONGEST_EMBED - title.length - description.length - words.sentBy.length,
  );
  return {
    // `@everyone` and the like call nobody, wherever they stand.
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title,
        description,
        color: COLOURS[tone],
        ...(site.url === null ? {} : { url: site.url }),
        fields,
        footer: { text: words.sentBy },
        timestamp: iso(incident.recoveredAt ?? incident.detectedAt),
      },
    ],
  };
}

function fieldOf({ check, code, title, problem, fix, evidence, excerpt }: MessageFinding, { words }: Message): Field {
  const lines = [
    inCode(`${check}/${code}`),
    prose(problem),
    ...(fix === '' ? [] : [`**${plain(words.labels.fix)}**${words.colon}${prose(fix)}`]),
    ...evidence.map(inCode),
    ...excerpt.map((line) => inCode(unbroken(line))),
  ];
  return { name: cutText(plain(title), LONGEST_TITLE - 10), value: wholeLines(lines, LONGEST_VALUE) };
}

/** As many fields as there is room for. */
function within(fields: readonly Field[], room: number): readonly Field[] {
  let left = room;
  return fields
    .map(({ name, value }) => ({ name, value: wholeLines(value.split('\n'), LONGEST_VALUE) }))
    .filter(({ name, value }) => (left -= name.length + value.length) >= 0);
}

/** Cut between lines: half a code span would open what is behind it. */
function wholeLines(lines: readonly string[], most: number): string {
  let left = most;
  const kept = lines.filter((line) => (left -= line.length + 1) >= 0);
  return kept.join('\n') || '…';
}

/** Nothing in it is Markdown. */
function plain(text: string): string {
  return text.replaceAll(/[\\`*_~|>#[\]()<:@-]/g, String.raw`\$&`);
}

/** A sentence of ours, whose code stays code. */
function prose(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/[\\*_~|<@[\]]/g, String.raw`\$&`)))
    .join('');
}

/** What comes from elsewhere. */
function inCode(text: string): string {
  return `\`${text.replaceAll('`', 'ˋ')}\``;
}
