/** An alert as plain text, for mails and small screens. Pure. */
import type { Message, ToldFinding } from '../message.ts';

/** Its lines; an empty one between its parts. */
export function plainLines(message: Message): readonly string[] {
  const { lines, findings, more, facts, site, page, words } = message;
  return [
    ...lines,
    '',
    ...findings.flatMap((finding) => [...findingLines(finding, message), '']),
    ...(more === null ? [] : [more, '']),
    ...facts.map(({ label, value }) => `${label}${words.colon}${value}`),
    ...(site.url === null ? [] : [`${words.labels.site}${words.colon}${site.url}`]),
    ...(page === null ? [] : [`${words.labels.statusPage}${words.colon}${page}`]),
  ];
}

function findingLines(
  { check, code, title, problem, fix, seen, frame }: ToldFinding,
  { words }: Message,
): readonly string[] {
  return [
    `${title} (${check}/${code})`,
    problem,
    ...(fix === '' ? [] : [`${words.labels.fix}${words.colon}${fix}`]),
    ...[...seen, ...frame].map((line) => `    ${line}`),
  ];
}
