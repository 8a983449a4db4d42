/** An alert as an issue on GitHub: opened, kept up to date and closed with the incident. */
import { mapping, text, variableText, webUrl } from '../../../config/define.ts';
import { trackIncident, type Condition } from '../../../github/incident.ts';
import { createRest, Refused } from '../../../github/rest.ts';
import { printable } from '../../../text/printable.ts';
import { cutText, fitting } from '../../../report/cut.ts';
import { codeBlock, codeSpan, plain, prose, siteLink } from '../../../report/markdown-text.ts';
import { isOutage } from '../../incident/state.ts';
import type { SendResult } from '../alert.ts';
import type { Message, MessageFinding } from '../message.ts';
import { failed, type ChannelType, type Delivery, type FileOf } from './channel.ts';

/** Longest time for all requests of one alert together. */
const LONGEST_MS = 30_000;
const LONGEST_TITLE = 240;
const MOST_FAILING = 50;
/** GitHub accepts 65,536 characters. */
const MOST_CHARACTERS = 60_000;

type GithubIssue = Required<FileOf<'githubIssue'>> & { readonly kind: 'github-issue' };

export const githubIssue: ChannelType<FileOf<'githubIssue'>, GithubIssue> = {
  settings: mapping(
    {
      repository: variableText({ examples: ['example/docs'], 'x-format': 'repository' }),
      token: variableText({ examples: ['${GITHUB_TOKEN}'], 'x-format': 'header-value', 'x-expected': 'text' }),
      label: text({ examples: ['incident'] }),
      api: webUrl('https://github.example.com/api/v3'),
    },
    { required: ['repository', 'token'] },
  ),
  read: ({ label = 'docvitals', api = 'https://api.github.com', ...file }) => {
    return { kind: 'github-issue', ...file, label, api: api.replace(/\/+$/, '') };
  },
  open: () => send,
};

/** Brings the issue of the site up to date: one for its outages, one for its degradations. */
async function send({ repository, token, label, api }: GithubIssue, delivery: Delivery): Promise<SendResult> {
  const { message, now, env, signal } = delivery;
  const until = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
  const rest = createRest({ apiUrl: api, token, env, signal: until, now: () => now });
  // An outage and a degradation can be open at once, and are closed one by one.
  const ofIncident = isOutage(message.incident) ? '' : ' defect';
  // Nothing ends a list of new findings: each is an issue.
  const kind = message.newFindings === null ? ofIncident : ` findings ${message.incident.id}`;
  const site = `${message.site.url ?? message.site.id}${kind}${message.isTest ? ' test' : ''}`;
  try {
    await trackIncident(rest, { repository, site, label }, conditionOf(message));
    return { ok: true, status: null };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { problem, status, detail, isPassing } = error;
    const reason = `${problem} ${status === null ? detail : `http ${status}`}`;
    return failed(cutText(printable(reason), 200), { permanent: !isPassing });
  }
}

function conditionOf(message: Message): Condition {
  const { event, incident, goesOn, words, subject, lines } = message;
  const failing = new Set(incident.findings.map(({ rule }) => rule));
  const named = [...failing].toSorted().slice(0, MOST_FAILING);
  const sentences = lines.map((line) => prose(line)).join('  \n');
  const code = (all: readonly string[]): readonly string[] => all.map((one) => codeSpan(one));
  const open = named.length === 0 ? [incident.verdict] : named;
  return {
    failing: event === 'recovered' ? [] : open,
    title: cutText(subject, LONGEST_TITLE),
    body: bodyOf(message, sentences),
    changed: (added, gone) => {
      const appeared = added.length > 0 ? [words.issueNew(code(added))] : [];
      const vanished = gone.length > 0 ? [words.issueGone(code(gone))] : [];
      return `${[...appeared, ...vanished].join(' ')}\n\n${sentences}`;
    },
    reopened: `${plain(words.issueReopened)}\n\n${sentences}`,
    recovered: `${plain(goesOn === null ? words.issueRecovered : subject)}\n\n${sentences}`,
  };
}

function bodyOf(message: Message, sentences: string): string {
  const { subject, findings, more, facts, site, page, words } = message;
  const { labels, colon } = words;
  const about = [
    ...(site.url === null ? [] : [`- ${plain(labels.site)}${colon}${siteLink(site.url)}`]),
    ...(page === null ? [] : [`- ${plain(labels.statusPage)}${colon}${siteLink(page)}`]),
    ...facts.map(({ label, value }) => `- ${plain(label)}${colon}${codeSpan(value)}`),
  ];
  const blocks = [
    `**${plain(subject)}**`,
    sentences,
    ...findings.map((finding) => findingBlock(finding, message)),
    ...(more === null ? [] : [plain(more)]),
    about.join('\n'),
    `_${plain(words.sentBy)}_`,
  ];
  return fitting(blocks, MOST_CHARACTERS).join('\n\n');
}

function findingBlock({ rule, title, problem, fix, evidence, excerpt }: MessageFinding, { words }: Message): string {
  return [
    `### ${plain(title)} (${codeSpan(rule)})`,
    prose(problem),
    ...(fix === '' ? [] : [`**${plain(words.labels.fix)}**${words.colon}${prose(fix)}`]),
    ...(evidence.length === 0 ? [] : [evidence.map((fact) => `- ${codeSpan(fact)}`).join('\n')]),
    ...(excerpt.length === 0 ? [] : [codeBlock(excerpt).join('\n')]),
  ].join('\n\n');
}
