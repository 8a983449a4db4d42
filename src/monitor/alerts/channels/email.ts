/** An alert as a mail, over SMTP. */
import { isIP } from 'node:net';
import type { SMTPTransportOptions } from 'nodemailer';
import { mapping, oneOrMore, variableText } from '../../../config/define.ts';
import type { RouteFile } from '../../../generated/config-file.ts';
import { hidden } from '../../../hidden.ts';
import { printable } from '../../../printable.ts';
import { cutText } from '../../../report/cut.ts';
import type { SendResult } from '../send.ts';
import type { ChannelType, Delivery } from './channel.ts';
import { mailOf } from './mail.ts';

/** Longest time for one mail, and for each step of it. */
const LONGEST_MS = 30_000;
const STEP_MS = 10_000;
/** Alerts of which some recipients have not got theirs; only those are sent to again. */
const MOST_PARTLY_SENT = 1_000;

type EmailFile = NonNullable<RouteFile['email']>;

interface Email {
  readonly kind: 'email';
  /** `smtp://user:password@host:587`, `smtps://…` */
  readonly server: string;
  readonly from: string;
  readonly to: readonly string[];
}

export const email: ChannelType<EmailFile, Email> = {
  settings: mapping(
    'Send notifications by e-mail.',
    {
      server: variableText(
        'The mail server; never printed. smtp:// (STARTTLS) or smtps://, with user name and password if needed.',
        {
          examples: ['smtp://alerts:${SMTP_PASSWORD}@mail.example.com:587', 'smtps://mail.example.com'],
          'x-format': 'mail-server',
        },
      ),
      from: variableText("The sender's address.", {
        examples: ['docvitals@example.com', 'Docvitals <docvitals@example.com>'],
        'x-format': 'mail-address',
      }),
      to: oneOrMore(
        "The recipient's address, or a list of them.",
        { type: 'string', minLength: 1, 'x-variables': true, 'x-format': 'mail-address' },
        { examples: ['ops@example.com', ['ops@example.com', 'docs@example.com']], 'x-expected': 'mail-addresses' },
      ),
    },
    { required: ['server', 'from', 'to'] },
  ),
  read: ({ server, from, to }) => ({ kind: 'email', server, from, to: typeof to === 'string' ? [to] : to }),
  open: createMailer,
};

/** How a server is spoken to, by its URL. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the start, as `smtps:` has it. */
  readonly secure: boolean;
  /** Nothing is sent before STARTTLS. */
  readonly requireTLS: boolean;
  readonly ignoreTLS: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | null;
}

/**
 * Reads `smtp://user:password@host:587` and `smtps://…`. STARTTLS is required but of a server on this machine;
 * `?requireTLS=false` takes what the server offers, `?ignoreTLS=true` never encrypts. `null` for what is no such URL.
 */
export function mailServer(server: string): MailServer | null {
  if (!/^smtps?:\/\/[^/?#]/i.test(server) || !URL.canParse(server)) return null;
  const url = new URL(server);
  const host = url.hostname.replaceAll(/^\[|\]$/g, '');
  const secure = url.protocol === 'smtps:';
  const ignoreTLS = url.searchParams.get('ignoreTLS') === 'true';
  const wanted = url.searchParams.get('requireTLS');
  const [user, pass] = [unescaped(url.username), unescaped(url.password)];
  return {
    host,
    port: url.port === '' ? defaultPort(secure, host) : Number(url.port),
    secure,
    requireTLS: !secure && !ignoreTLS && (wanted === null ? !isLoopback(host) : wanted === 'true'),
    ignoreTLS,
    auth: user === '' ? null : { user, pass },
  };
}

/** Sends mails. Remembers, of a mail that not everybody got, who did. */
function createMailer(): (channel: Email, delivery: Delivery) => Promise<SendResult> {
  const served = new Map<string, ReadonlySet<string>>();
  return async (channel, delivery) => {
    const { message, signal } = delivery;
    const server = mailServer(channel.server);
    if (server === null) return { ok: false, error: 'bad-address', permanent: true, retryAfterMs: null };
    const before = served.get(message.key) ?? new Set();
    const to = channel.to.filter((address) => !before.has(address));
    const secrets = server.auth === null ? [] : [server.auth.pass, server.auth.user];
    try {
      const rejected = await send(
        server,
        channel.from,
        to,
        delivery,
        AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]),
      );
      served.delete(message.key);
      if (rejected.size === 0) return { ok: true, status: null };
      if (served.size < MOST_PARTLY_SENT) {
        served.set(message.key, new Set(channel.to.filter((address) => !rejected.has(addressOf(address)))));
      }
      return {
        ok: false,
        error: `${rejected.size} of ${to.length} recipients rejected`,
        permanent: false,
        retryAfterMs: null,
      };
    } catch (error) {
      return failureOf(error, secrets);
    }
  };
}

/** Resolves with the addresses that the server did not take; rejects where it took none. */
async function send(
  server: MailServer,
  from: string,
  to: readonly string[],
  { message, now }: Delivery,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const { createTransport } = await import('nodemailer');
  const { auth, ...address } = server;
  const options: SMTPTransportOptions = {
    ...address,
    ...(auth === null ? {} : { auth }),
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  const transport = createTransport(options);
  try {
    const { references, ...mail } = mailOf(message, from);
    const sent = await transport.sendMail({
      ...mail,
      ...(references === undefined ? {} : { references: [...references] }),
      from,
      to: [...to],
      date: new Date(now),
      signal,
    });
    return new Set(sent.rejected.map(String));
  } finally {
    transport.close();
  }
}

/** Codes of the system and of SMTP, and what the server says. */
function failureOf(error: unknown, secrets: readonly string[]): SendResult {
  const { code, responseCode, response } = error as { code?: string; responseCode?: number; response?: string };
  const said = response === undefined ? '' : `: ${hidden(printable(response.trim()), secrets)}`;
  const name = [code ?? 'failed', ...(responseCode === undefined ? [] : [responseCode])].join(' ');
  return {
    ok: false,
    error: cutText(`smtp ${name}${said}`, 200),
    // RFC 5321, section 4.2.1: 5yz is for good; 503 is about the conversation.
    permanent: responseCode !== undefined && responseCode >= 500 && responseCode !== 503,
    retryAfterMs: null,
  };
}

/** The address alone of `Name <address>`. */
function addressOf(text: string): string {
  return /<([^<>]+)>\s*$/.exec(text)?.[1] ?? text.trim();
}

function defaultPort(secure: boolean, host: string): number {
  if (secure) return 465;
  return isLoopback(host) ? 25 : 587;
}

function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true;
  return isIP(host) === 4 ? host.startsWith('127.') : host === '::1';
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
