/** An alert as an HTTP request: JSON of docvitals, or the format of a chat service: Slack, Discord, Microsoft Teams, ntfy. */
import { createHmac } from 'node:crypto';
import { mapping, oneOf, ref, variableText, webUrl } from '../../../config/define.ts';
import { cutText, fitting } from '../../../report/cut.ts';
import { iso } from '../../../core/time.ts';
import type { SendResult } from '../alert.ts';
import { linksOf, plainLines, type Message, type MessageFinding } from '../message.ts';
import { BAD_ADDRESS, post, type ChannelType, type Delivery, type FileOf, type Post } from './channel.ts';

/** `secret`: key of the HMAC; `null`: not signed. */
type Webhook = Required<Omit<FileOf<'webhook'>, 'secret'>> & {
  readonly kind: 'webhook';
  readonly secret: string | null;
};

type Addressed = Pick<Post, 'url' | 'body'>;

const BODIES: Readonly<Record<Webhook['template'], (url: URL, delivery: Delivery) => Addressed | null>> = {
  json: (url, { document }) => ({ url, body: document }),
  slack: (url, { message }) => ({ url, body: slackBody(message) }),
  discord: (url, { message }) => ({ url, body: discordBody(message) }),
  teams: (url, { message }) => ({ url, body: teamsBody(message) }),
  ntfy: (url, { message }) => ntfyRequest(url, message),
};

export const webhook: ChannelType<FileOf<'webhook'>, Webhook> = {
  settings: mapping(
    {
      url: webUrl('${OPS_WEBHOOK}'),
      template: oneOf(Object.keys(BODIES), { 'x-secret': false }),
      secret: variableText({ examples: ['${OPS_WEBHOOK_SECRET}'] }),
      headers: ref('headers', { Authorization: 'Bearer ${OPS_TOKEN}' }),
    },
    { required: ['url'] },
  ),
  mistakes: ({ url, template }) =>
    template === 'ntfy' && topicOf(url) === null ? [{ path: ['url'], expected: { kind: 'ntfy-topic' } }] : [],
  read: ({ url, template = 'json', secret = null, headers = {} }) => {
    return { kind: 'webhook', url, template, secret, headers };
  },
  open: () => send,
};

async function send(channel: Webhook, delivery: Delivery): Promise<SendResult> {
  const url = URL.parse(channel.url);
  const addressed = url === null ? null : BODIES[channel.template](url, delivery);
  if (addressed === null) return BAD_ADDRESS;
  const { id } = delivery.document;
  const { secret } = channel;
  return post(channel, delivery, {
    ...addressed,
    headers: (body) => ({
      'content-type': 'application/json; charset=utf-8',
      accept: '*/*',
      'idempotency-key': id,
      ...(secret === null ? {} : signatureHeaders(secret, id, body, delivery.now)),
    }),
    secrets: secret === null ? [] : [secret],
  });
}

/**
 * The signature of a body by the Standard Webhooks specification 1.0: `webhook-id`, `webhook-timestamp` (seconds since
 * 1970) and `webhook-signature: v1,<base64 of HMAC-SHA256 over "id.timestamp.body">`. `now`: ms since 1970.
 */
function signatureHeaders(secret: string, id: string, body: string, now: number): Record<string, string> {
  // `whsec_` and base64, as the specification writes secrets; any other text is used as it is.
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
  const key = encoded === undefined ? Buffer.from(secret, 'utf8') : Buffer.from(encoded, 'base64');
  const timestamp = String(Math.floor(now / 1_000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/* The formats of chat services. */

type Json = Readonly<Record<string, unknown>>;

/** How each service shows a tone: the sign of a title, Discord's colour, Teams' colour, ntfy's priority and tag. */
const TONES = {
  critical: { sign: '🔴', discord: 0xc62828, teams: 'attention', priority: 5, tag: 'rotating_light' },
  warning: { sign: '🟠', discord: 0xef6c00, teams: 'warning', priority: 4, tag: 'warning' },
  notice: { sign: '🟡', discord: 0xf9a825, teams: 'accent', priority: 3, tag: 'information_source' },
  good: { sign: '🟢', discord: 0x2e7d32, teams: 'good', priority: 3, tag: 'white_check_mark' },
} as const;

/** How urgent an alert is. */
export function toneOf({ event, incident, goesOn }: Message): keyof typeof TONES {
  const verdict = event === 'recovered' ? goesOn : incident.verdict;
  if (verdict === null) return 'good';
  if (verdict === 'down') return 'critical';
  return verdict === 'degraded' ? 'warning' : 'notice';
}

/** A line in which chat services keep every space, so that a caret stays under its character. */
const unbroken = (line: string): string => line.replaceAll(' ', '\u00a0');

/** The site's own texts in code, which cannot be closed from inside. */
const inCode = (text: string): string => `\`${text.replaceAll('`', 'ˋ')}\``;

/** Limits of Slack in characters: the text of a header, of a section. A message has at most 50 blocks. */
const SLACK = { header: 150, section: 3_000 };
/** Nothing of an `&amp;` may be lost: texts are cut before they are escaped, with room for escapes. */
const SLACK_PART = 500;

/** The body of Slack's incoming webhook: blocks, with the text of notifications beside them. */
export function slackBody(message: Message): Json {
  const { subject, lines, findings, more, facts, words } = message;
  const title = `${TONES[toneOf(message)].sign} ${subject}`;
  const links = linksOf(message).map(({ url, label }) => `<${escaped(url).replaceAll('|', '%7C')}|${escaped(label)}>`);
  const footer = { type: 'mrkdwn', text: [...links, escaped(words.sentBy)].join(' · '), verbatim: true };
  return {
    // Shown by notifications; link_names and parse stay off, so that no name in it calls anybody.
    text: escaped(title),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: cutText(title, SLACK.header - 10), emoji: true } },
      slackSection(lines.map(escaped)),
      ...findings.map((finding) => slackSection(slackFinding(finding, message))),
      ...(more === null ? [] : [slackSection([escaped(more)])]),
      slackSection(facts.map(({ label, value }) => `*${escaped(label)}*${words.colon}${escaped(value)}`)),
      { type: 'context', elements: [footer] },
    ],
  };
}

function slackFinding({ rule, title, problem, fix, evidence, excerpt }: MessageFinding, { words }: Message): string[] {
  const quoted = (text: string): string => inCode(escaped(cutText(text, SLACK_PART)));
  return [
    `*${escaped(title)}* (${quoted(rule)})`,
    escaped(problem),
    ...(fix === '' ? [] : [`*${escaped(words.labels.fix)}*${words.colon}${escaped(fix)}`]),
    ...[...evidence, ...excerpt.map(unbroken)].map(quoted),
  ];
}

function slackSection(lines: readonly string[]): Json {
  const text = fitting(lines, SLACK.section).join('\n') || '–';
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } };
}

/** The three characters that mean something to Slack everywhere: mentions and links need `<`. */
function escaped(text: string): string {
  return cutText(text, SLACK_PART * 2)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** Limits of Discord in characters. `embed`: all texts together, with some room for the marks of what was cut. */
const DISCORD = { title: 256, description: 4_096, value: 1_024, embed: 5_900 };

/** The body of Discord's webhook: one embed, without mentions. */
export function discordBody(message: Message): Json {
  const { subject, lines, findings, more, facts, words, site, page, incident } = message;
  const { sign, discord: color } = TONES[toneOf(message)];
  const title = cutText(`${sign} ${noMarkdown(subject)}`, DISCORD.title - 10);
  const sentences = [...lines, ...(page === null ? [] : [page])];
  const description = cutText(sentences.map(codeOnly).join('\n'), DISCORD.description - 20);
  const about = facts.map(({ label, value }) => `**${noMarkdown(label)}**${words.colon}${inCode(value)}`);
  const fields = [
    { name: words.labels.incident, value: discordValue(about) },
    ...findings.map((finding) => discordField(finding, message)),
    ...(more === null ? [] : [{ name: '…', value: noMarkdown(more) }]),
  ];
  const room = DISCORD.embed - title.length - description.length - words.sentBy.length;
  return {
    // `@everyone` and the like mention no one.
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title,
        description,
        color,
        ...(site.url === null ? {} : { url: site.url }),
        fields: fitting(fields, room, ({ name, value }) => name.length + value.length),
        footer: { text: words.sentBy },
        timestamp: iso(incident.recoveredAt ?? incident.detectedAt),
      },
    ],
  };
}

function discordField({ rule, title, problem, fix, evidence, excerpt }: MessageFinding, { words }: Message) {
  const lines = [
    inCode(rule),
    codeOnly(problem),
    ...(fix === '' ? [] : [`**${noMarkdown(words.labels.fix)}**${words.colon}${codeOnly(fix)}`]),
    ...[...evidence, ...excerpt.map(unbroken)].map(inCode),
  ];
  return { name: cutText(noMarkdown(title), DISCORD.title - 10), value: discordValue(lines) };
}

/** Cut between lines: half a code span would open what is behind it. */
function discordValue(lines: readonly string[]): string {
  return fitting(lines, DISCORD.value).join('\n') || '…';
}

function noMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_~|>#[\]()<:@-]/g, String.raw`\$&`);
}

/** One of our sentences, whose code stays code. */
function codeOnly(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/[\\*_~|<@[\]]/g, String.raw`\$&`)))
    .join('');
}

/** Teams accepts 28 KB; a card in UTF-8 with so many characters of findings stays far below it. */
const TEAMS_FINDINGS = 9_000;
const TEAMS_RUN = 1_000;
const BOLD = { weight: 'bolder' };
const MONOSPACED = { fontType: 'monospace' };

/** The body of Teams' "When a Teams webhook request is received" trigger: an Adaptive Card in a message. */
export function teamsBody(message: Message): Json {
  const { subject, lines, findings, more, facts, words, language } = message;
  const { sign, teams: color } = TONES[toneOf(message)];
  const shown = fitting(findings, TEAMS_FINDINGS, (finding) => JSON.stringify(finding).length);
  // Text runs have no Markdown: the site's own texts are only in them.
  const body = [
    teamsBlock([teamsRun(`${sign} ${subject}`, { size: 'large', ...BOLD, color })]),
    ...lines.map((line) => teamsBlock(teamsProse(line))),
    ...shown.flatMap((finding) => teamsFinding(finding, message)),
    ...(more === null ? [] : [teamsBlock([teamsRun(more)])]),
    ...facts.map(({ label, value }) => teamsBlock([teamsRun(`${label}${words.colon}`, BOLD), teamsRun(value)])),
    teamsBlock([teamsRun(words.sentBy, { isSubtle: true, size: 'small' })]),
  ];
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    lang: language,
    fallbackText: subject,
    msteams: { width: 'Full' },
    body,
    actions: linksOf(message).map(({ url, label }) => ({ type: 'Action.OpenUrl', title: label, url })),
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}

function teamsFinding({ rule, title, problem, fix, evidence, excerpt }: MessageFinding, { words }: Message): Json[] {
  const heading = [teamsRun(title, BOLD), teamsRun(` ${rule}`, MONOSPACED)];
  const fixed = [teamsRun(`${words.labels.fix}${words.colon}`, BOLD), ...teamsProse(fix)];
  const facts = [...evidence, ...excerpt.map(unbroken)];
  return [
    { ...teamsBlock(heading), separator: true, spacing: 'medium' },
    teamsBlock(teamsProse(problem)),
    ...(fix === '' ? [] : [teamsBlock(fixed)]),
    ...facts.map((fact) => teamsBlock([teamsRun(fact, { ...MONOSPACED, size: 'small' })])),
  ];
}

const teamsBlock = (inlines: readonly Json[]): Json => ({ type: 'RichTextBlock', inlines });

const teamsRun = (text: string, style: Json = {}): Json => ({
  type: 'TextRun',
  text: cutText(text, TEAMS_RUN),
  ...style,
});

/** One of our sentences, its code in a monospaced font. */
function teamsProse(text: string): readonly Json[] {
  return text
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? teamsRun(part, MONOSPACED) : teamsRun(part)))
    .filter(({ text: shown }) => shown !== '');
}

/** Limits of ntfy in bytes: of a longer message it makes a file. */
const NTFY = { message: 4_000, title: 240 };

/** The topic of an address such as `https://ntfy.sh/my-topic`, and the path before it; `null`: none. */
function topicOf(url: string | URL) {
  const [, before = '', topic] = /^(.*\/)([\w-]{1,64})\/?$/.exec(URL.parse(String(url))?.pathname ?? '') ?? [];
  return topic === undefined ? null : { topic, before };
}

/** JSON to the server's root with the topic in it, so that titles may have any letters. `null`: `url` has no topic. */
export function ntfyRequest(url: URL, message: Message): Addressed | null {
  const found = topicOf(url);
  if (found === null) return null;
  const root = new URL(url);
  root.pathname = found.before;
  const { priority, tag } = TONES[toneOf(message)];
  const { subject, incident, site, page } = message;
  const body = {
    topic: found.topic,
    title: cutBytes(subject, NTFY.title),
    message: cutBytes(plainLines(message).join('\n').trim(), NTFY.message),
    priority,
    tags: [tag, incident.verdict],
    ...(site.url === null ? {} : { click: page ?? site.url }),
  };
  return { url: root, body };
}

/** At most so many bytes of UTF-8, whole characters only. */
function cutBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  const { read: end } = new TextEncoder().encodeInto(text, new Uint8Array(most - 3));
  return `${text.slice(0, end)}…`;
}
