/** What a mail says, and the headers that keep the mails of an incident together. Pure. */
import { createHash } from 'node:crypto';
import { markup, verbatim, type Markup } from '../../../report/html/markup.ts';
import { proseOf } from '../../../report/html/prose.ts';
import type { Message, ToldFinding } from '../message.ts';
import { plainLines } from './plain-text.ts';

/** A mail without its addresses. */
export interface Mail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
  readonly inReplyTo?: string;
  readonly references?: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

/** `from`: the sender's address, whose domain names the messages. */
export function mailOf(message: Message, from: string): Mail {
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
      // RFC 3834: nobody's holiday message answers it.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'X-Docvitals-Alert': id.slice(1, -1),
    },
  };
}

/** The same alert has the same one each time it is sent, so that mail programs show it once. */
function messageId(key: string, domain: string): string {
  return `<docvitals.${createHash('sha256').update(key).digest('hex').slice(0, 40)}@${domain}>`;
}

function htmlOf(message: Message): string {
  const { language, subject, lines, findings, more, facts, site, page, words } = message;
  const links = [
    ...(site.url === null ? [] : [{ label: words.labels.openSite, url: site.url }]),
    ...(page === null ? [] : [{ label: words.labels.statusPage, url: page }]),
  ];
  const body = markup`<h1 style="font-size:1.3em">${subject}</h1>
<p>${lines.map((line, index) => markup`${index === 0 ? null : verbatim('<br>')}${proseOf(line)}`)}</p>
${findings.map((finding) => findingOf(finding, message))}
${more === null ? null : markup`<p>${more}</p>\n`}<ul>
${facts.map(({ label, value }) => markup`<li>${label}${words.colon}${value}</li>\n`)}</ul>
<p>${links.map(({ label, url }) => markup`<a href="${url}">${label}</a> `)}</p>
<p><small>${words.sentBy}</small></p>`;
  return markup`${verbatim('<!DOCTYPE html>')}
<html lang="${language}"><head><meta charset="utf-8"><title>${subject}</title></head>
<body style="font-family:sans-serif;max-width:45em">
${body}
</body></html>
`.html;
}

function findingOf({ check, code, title, problem, fix, seen, frame }: ToldFinding, { words }: Message): Markup {
  return markup`<h2 style="font-size:1.1em">${title} <code>${check}/${code}</code></h2>
<p>${proseOf(problem)}</p>
${fix === '' ? null : markup`<p><strong>${words.labels.fix}</strong>${words.colon}${proseOf(fix)}</p>\n`}${seen.map((fact) => markup`<pre style="white-space:pre-wrap;margin:0">${fact}</pre>\n`)}${frame.length === 0 ? null : markup`<pre>${frame.join('\n')}</pre>\n`}`;
}
