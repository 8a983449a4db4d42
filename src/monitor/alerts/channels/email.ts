/** An alert as a mail, over SMTP. */
import { createHash } from 'node:crypto';
import type { NodemailerError, SendMailOptions, SMTPTransportOptions } from 'nodemailer';
import { hostOf, scopeOf } from '../../../http/address-scope.ts';
import { mapping, oneOrMore, variableText } from '../../../config/define.ts';
import { hidden } from '../../../core/secrets.ts';
import { decodedPart } from '../../../http/headers.ts';
import { printable } from '../../../text/printable.ts';
import { cutText } from '../../../report/cut.ts';
import { markup, proseOf, verbatim, type Markup } from '../../../report/html/markup.ts';
import type { SendResult } from '../alert.ts';
import { linksOf, plainLines, type Message, type MessageFinding } from '../message.ts';
import { BAD_ADDRESS, failed, type ChannelType, type Delivery, type FileOf } from './channel.ts';

/** Longest time for one mail, and for each step of it. */
const LONGEST_MS = 30_000;
const STEP_MS = 10_000;
/** Most alerts that are remembered because some recipients were rejected; only those are sent to again. */
const MOST_PARTLY_SENT = 1_000;

type Email = Omit<FileOf<'email'>, 'to'> & { readonly kind: 'email'; readonly to: readonly string[] };

export const email: ChannelType<FileOf<'email'>, Email> = {
  settings: mapping(
    {
      server: variableText({
        examples: ['smtp://alerts:${SMTP_PASSWORD}@mail.example.com:587', 'smtps://mail.example.com'],
        'x-format': 'mail-server',
      }),
      from: variableText({
        examples: ['docvitals@example.com', 'Docvitals <docvitals@example.com>'],
        'x-format': 'mail-address',
      }),
      to: oneOrMore(variableText({ 'x-format': 'mail-address' }), {
        examples: ['ops@example.com', ['ops@example.com', 'docs@example.com']],
        'x-expected': 'mail-addresses',
      }),
    },
    { required: ['server', 'from', 'to'] },
  ),
  read: ({ server, from, to }) => ({ kind: 'email', server, from, to: typeof to === 'string' ? [to] : to }),
  open: createMailer,
};

/**
 * Reads `smtp://user:password@host:587` and `smtps://…`. STARTTLS is required unless the server is on this machine;
 * `?requireTLS=false` accepts what the server offers, `?ignoreTLS=true` never encrypts. `null`: not such a URL.
 */
export function mailServer(server: string) {
  if (!/^smtps?:\/\/[^/?#]/i.test(server) || !URL.canParse(server)) return null;
  const url = new URL(server);
  const host = hostOf(url);
  const secure = url.protocol === 'smtps:';
  const isLoopback = host.toLowerCase() === 'localhost' || scopeOf(host) === 'loopback';
  const plainPort = isLoopback ? 25 : 587;
  const ignoreTLS = url.searchParams.get('ignoreTLS') === 'true';
  const wanted = url.searchParams.get('requireTLS');
  const [user, pass] = [decodedPart(url.username), decodedPart(url.password)];
  return {
    host,
    port: Number(url.port) || (secure ? 465 : plainPort),
    /** TLS from the start, with `smtps:`. */
    secure,
    /** Nothing is sent before STARTTLS. */
    requireTLS: !secure && !ignoreTLS && (wanted === null ? !isLoopback : wanted === 'true'),
    ignoreTLS,
    auth: user === '' ? null : { user, pass },
  };
}

type MailServer = NonNullable<ReturnType<typeof mailServer>>;

/** Sends mails. Remembers who has received a mail of which some recipients were rejected. */
function createMailer(): (channel: Email, delivery: Delivery) => Promise<SendResult> {
  const received = new Map<string, ReadonlySet<string>>();
  return async ({ server: address, from, to: all }, { message, now, signal }) => {
    const server = mailServer(address);
    if (server === null) return BAD_ADDRESS;
    const before = received.get(message.key) ?? new Set();
    const to = all.filter((one) => !before.has(one));
    try {
      const until = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
      const mail = { ...mailOf(message, from), from, to, date: new Date(now), signal: until };
      const rejected = await send(server, mail);
      received.delete(message.key);
      if (rejected.size === 0) return { ok: true, status: null };
      if (received.size < MOST_PARTLY_SENT)
        received.set(message.key, new Set(all.filter((one) => !rejected.has(addressOf(one)))));
      return failed(`${rejected.size} of ${to.length} recipients rejected`);
    } catch (error) {
      return failureOf(error, server.auth === null ? [] : [server.auth.pass, server.auth.user]);
    }
  };
}

/** Resolves with the addresses that the server rejected; rejects if it rejected all. */
async function send({ auth, ...server }: MailServer, mail: SendMailOptions): Promise<ReadonlySet<string>> {
  const { createTransport } = await import('nodemailer');
  const options: SMTPTransportOptions = {
    ...server,
    ...(auth === null ? {} : { auth }),
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  const transport = createTransport(options);
  try {
    const { rejected } = await transport.sendMail(mail);
    return new Set(rejected.map(String));
  } finally {
    transport.close();
  }
}

/** The codes of the system and of SMTP, and the server's explanation. */
function failureOf(error: unknown, secrets: readonly string[]): SendResult {
  const { code = 'failed', responseCode, response, permanent = false } = error as NodemailerError;
  const reply = response === undefined ? '' : `: ${hidden(printable(response.trim()), secrets)}`;
  const name = responseCode === undefined ? code : `${code} ${responseCode}`;
  return failed(cutText(`smtp ${name}${reply}`, 200), { permanent });
}

function addressOf(text: string): string {
  return /<([^<>]+)>\s*$/.exec(text)?.[1] ?? text.trim();
}

/** The headers keep the mails of an incident together. `from`: the sender's address, whose domain is in the ids. */
function mailOf(message: Message, from: string): SendMailOptions {
  const { key, event, incident, subject, words } = message;
  const domain = /@([A-Za-z0-9.-]+)>?\s*$/.exec(from)?.[1] ?? 'docvitals.invalid';
  const id = messageId(key, domain);
  // The first alert about the incident on this route, whatever number this one has.
  const first = messageId(`${incident.id}:opened:${key.slice(key.lastIndexOf(':') + 1)}`, domain);
  return {
    subject,
    text: `${plainLines(message).join('\n').trim()}\n\n-- \n${words.sentBy}\n`,
    html: htmlOf(message),
    messageId: id,
    ...(event === 'opened' ? {} : { inReplyTo: first, references: [first] }),
    headers: {
      // RFC 3834: no automatic replies.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'X-Docvitals-Alert': id.slice(1, -1),
    },
  };
}

/** An alert has the same id each time it is sent, so that mail programs show it once. */
function messageId(key: string, domain: string): string {
  return `<docvitals.${createHash('sha256').update(key).digest('hex').slice(0, 40)}@${domain}>`;
}

export function htmlOf(message: Message): string {
  const { language, subject, lines, findings, more, facts, words } = message;
  const body = markup`<h1 style="font-size:1.3em">${subject}</h1>
<p>${lines.map((line, index) => markup`${index === 0 ? null : verbatim('<br>')}${proseOf(line)}`)}</p>
${findings.map((finding) => findingOf(finding, message))}
${more === null ? null : markup`<p>${more}</p>\n`}<ul>
${facts.map(({ label, value }) => markup`<li>${label}${words.colon}${value}</li>\n`)}</ul>
<p>${linksOf(message).map(({ label, url }) => markup`<a href="${url}">${label}</a> `)}</p>
<p><small>${words.sentBy}</small></p>`;
  return markup`${verbatim('<!DOCTYPE html>')}
<html lang="${language}"><head><meta charset="utf-8"><title>${subject}</title></head>
<body style="font-family:sans-serif;max-width:45em">
${body}
</body></html>
`.html;
}

function findingOf({ rule, title, problem, fix, evidence, excerpt }: MessageFinding, { words }: Message): Markup {
  return markup`<h2 style="font-size:1.1em">${title} <code>${rule}</code></h2>
<p>${proseOf(problem)}</p>
${fix === '' ? null : markup`<p><strong>${words.labels.fix}</strong>${words.colon}${proseOf(fix)}</p>\n`}${evidence.map((fact) => markup`<pre style="white-space:pre-wrap;margin:0">${fact}</pre>\n`)}${excerpt.length === 0 ? null : markup`<pre>${excerpt.join('\n')}</pre>\n`}`;
}
