/** An alert as an issue on GitHub: opened, kept up to date and closed with the incident. */
import { setTimeout as sleep } from 'node:timers/promises';
import { mapping, text, variableText, webUrl } from '../../../config/define.ts';
import type { RouteFile } from '../../../generated/config-file.ts';
import { trackIncident, type Condition } from '../../../github/incident.ts';
import { createRest, type RestProblem } from '../../../github/rest.ts';
import { isOutage } from '../../incident/state.ts';
import { printable } from '../../../printable.ts';
import { codeBlock, codeSpan, plain, prose, siteLink } from '../../../report/markdown-text.ts';
import { cutText } from '../../../report/cut.ts';
import { VERSION } from '../../../version.ts';
import type { SendResult } from '../alert.ts';
import type { Message, MessageFinding } from '../message.ts';
import type { ChannelType, Delivery } from './channel.ts';
import { fetchThrough } from './http.ts';

/** Longest time for all requests of one alert together. */
const LONGEST_MS = 30_000;
const LONGEST_TITLE = 240;
const MOST_FAILING = 50;
/** Problems that are temporary. */
const PASSING: ReadonlySet<RestProblem> = new Set(['rate-limited', 'server-error', 'unreachable']);

type GithubIssueFile = NonNullable<RouteFile['githubIssue']>;

interface GithubIssue {
  readonly kind: 'github-issue';
  /** `owner/name` */
  readonly repository: string;
  readonly token: string;
  readonly label: string;
  /** Base URL of the REST API. */
  readonly api: string;
}

export const githubIssue: ChannelType<GithubIssueFile, GithubIssue> = {
  settings: mapping(
    'Open an issue on GitHub, and close it when the site has recovered.',
    {
      repository: variableText('owner/name.', { examples: ['example/docs'], 'x-format': 'repository' }),
      token: variableText('Token that may write issues; never printed.', {
        examples: ['${GITHUB_TOKEN}'],
        'x-format': 'header-value',
        'x-expected': 'text',
      }),
      label: text('Label of the issue. Default: docvitals.', { examples: ['incident'] }),
      api: webUrl('Base URL of the REST API. Default: https://api.github.com.', {
        examples: ['https://github.example.com/api/v3'],
      }),
    },
    { required: ['repository', 'token'] },
  ),
  read: ({ repository, token, label = 'docvitals', api = 'https://api.github.com' }) => {
    return { kind: 'github-issue', repository, token, label, api: api.replace(/\/+$/, '') };
  },
  open: () => send,
};

/** Brings the issue of the site up to date: one for its outages, one for its defects. */
async function send(channel: GithubIssue, delivery: Delivery): Promise<SendResult> {
  const { message, now, env, signal } = delivery;
  const { repository, label } = channel;
  const until = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
  const rest = createRest({
    apiUrl: channel.api,
    token: channel.token,
    userAgent: `docvitals/${VERSION}`,
    fetch: fetchThrough(env),
    sleep: (ms) => sleep(ms, undefined, { signal: until }).catch(() => {}),
    now: () => now,
    signal: until,
  });
  const site = message.site.url ?? message.site.id;
  // An outage and a degradation can be open at once, and are closed one by one.
  const kind = isOutage(message.incident) ? '' : ' defect';
  const result = await trackIncident(
    rest,
    { repository, site: `${site}${kind}${message.isTest ? ' test' : ''}`, label },
    conditionOf(message),
  );
  if (result.ok) return { ok: true, status: null };
  const { problem, status, detail } = result;
  return {
    ok: false,
    error: cutText(printable([problem, ...(status === null ? [detail] : [`http ${status}`])].join(' ')), 200),
    permanent: !PASSING.has(problem),
    retryAfterMs: null,
  };
}

function conditionOf(message: Message): Condition {
  const { event, incident, goesOn, words, subject } = message;
  const failing = incident.findings.map(({ check, code }) => `${check}/${code}`);
  const line = markdownLines(message);
  const code = (all: readonly string[]): readonly string[] => all.map((one) => codeSpan(one));
  return {
    // Nothing fails: the incident is over.
    failing: event === 'recovered' ? [] : failingOf(failing, incident.verdict),
    title: cutText(subject, LONGEST_TITLE),
    body: markdownBody(message),
    changed: (added, gone) =>
      `${[...(added.length > 0 ? [words.issueNew(code(added))] : []), ...(gone.length > 0 ? [words.issueGone(code(gone))] : [])].join(' ')}\n\n${line}`,
    reopened: `${plain(words.issueReopened)}\n\n${line}`,
    recovered: `${plain(goesOn === null ? words.issueRecovered : subject)}\n\n${line}`,
  };
}

function failingOf(failing: readonly string[], verdict: string): readonly string[] {
  const all = [...new Set(failing)].toSorted().slice(0, MOST_FAILING);
  return all.length === 0 ? [verdict] : all;
}

/** GitHub accepts 65,536 characters. */
const MOST_CHARACTERS = 60_000;

/** The body of an issue. */
function markdownBody(message: Message): string {
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
function markdownLines({ lines }: Message): string {
  return lines.map((line) => prose(line)).join('  \n');
}

function findingBlock(
  { check, code, title, problem, fix, evidence, excerpt }: MessageFinding,
  { words }: Message,
): string {
  return [
    `### ${plain(title)} (${codeSpan(`${check}/${code}`)})`,
    prose(problem),
    ...(fix === '' ? [] : [`**${plain(words.labels.fix)}**${words.colon}${prose(fix)}`]),
    ...(evidence.length === 0 ? [] : [evidence.map((fact) => `- ${codeSpan(fact)}`).join('\n')]),
    ...(excerpt.length === 0 ? [] : [codeBlock(excerpt).join('\n')]),
  ].join('\n\n');
}
