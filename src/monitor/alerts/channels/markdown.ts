/** An alert as GitHub-flavoured Markdown. Pure. */
import { codeBlock, codeSpan, plain, prose, siteLink } from '../../../report/markdown-text.ts';
import type { Message, ToldFinding } from '../message.ts';

/** GitHub takes 65,536 characters. */
const MOST_CHARACTERS = 60_000;

/** The body of an issue. */
export function markdownBody(message: Message): string {
  const { subject, findings, more, facts, site, page, words } = message;
  const blocks = [
    `**${plain(subject)}**`,
    markdownLines(message),
    ...findings.map((finding) => findingBlock(finding, message)),
    ...(more === null ? [] : [plain(more)]),
    [
      ...(site.url === null ? [] : [`- ${plain(words.labels.site)}${words.colon}${siteLink(site.url)}`]),
      ...(page === null ? [] : [`- ${plain(words.labels.statusPage)}${words.colon}${siteLink(page)}`]),
      ...facts.map(({ label, value }) => `- ${plain(label)}${words.colon}${codeSpan(value)}`),
    ].join('\n'),
    `_${plain(words.sentBy)}_`,
  ];
  let left = MOST_CHARACTERS;
  return blocks.filter((block) => (left -= block.length + 2) >= 0).join('\n\n');
}

/** The sentences alone: for a comment. */
export function markdownLines({ lines }: Message): string {
  return lines.map((line) => prose(line)).join('  \n');
}

function findingBlock({ check, code, title, problem, fix, seen, frame }: ToldFinding, { words }: Message): string {
  return [
    `### ${plain(title)} (${codeSpan(`${check}/${code}`)})`,
    prose(problem),
    ...(fix === '' ? [] : [`**${plain(words.labels.fix)}**${words.colon}${prose(fix)}`]),
    ...(seen.length === 0 ? [] : [seen.map((fact) => `- ${codeSpan(fact)}`).join('\n')]),
    ...(frame.length === 0 ? [] : [codeBlock(frame).join('\n')]),
  ].join('\n\n');
}
