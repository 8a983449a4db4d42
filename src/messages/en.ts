import type { Verdict, Waited } from '../check.ts';
import {
  seconds,
  wholeMilliseconds,
  type Counts,
  type Messages,
  minutes,
  toNext,
  waitTime,
  type StaleFacts,
  type WaitingMessages,
} from './messages.ts';

const time = (ms: number): string => waitTime(ms, 'en');
const clock = (name: string, ms: number | null): readonly string[] => (ms === null ? [] : [`${name} ${time(ms)}`]);
const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

function differingFiles({ files: named, pages, others }: StaleFacts): readonly string[] {
  return [
    ...named,
    ...(pages === 0 ? [] : [counted(pages, 'page', 'pages')]),
    ...(others === 0 ? [] : [counted(others, 'other file', 'other files')]),
  ];
}

const isOne = ({ files: named, pages, others }: StaleFacts): boolean => named.length + pages + others === 1;

/** What is old, as main clauses. */
function facts(old: StaleFacts): readonly string[] {
  const { isMissing, isCommit, expected, found, unchanged } = old;
  const differing = differingFiles(old);
  const missing = `${isOne(old) ? 'is' : 'are'} not there`;
  const differ = isMissing
    ? missing
    : `${isOne(old) ? 'differs' : 'differ'} from the ${isCommit ? 'commit' : 'source'}`;
  return [
    ...(differing.length === 0 ? [] : [`${listed(differing)} ${differ}`]),
    ...(expected === null ? [] : [found === null ? `${expected} is not live` : `${found} is live, not ${expected}`]),
    ...(unchanged ? ['the bundle has not changed'] : []),
  ];
}

function still(old: StaleFacts): string {
  const { isMissing, expected, found, unchanged } = old;
  const differing = differingFiles(old);
  const state = isMissing ? 'not there yet' : 'still old';
  const all = [
    ...(differing.length === 0 ? [] : [`${listed(differing)} ${isOne(old) ? 'is' : 'are'} ${state}`]),
    ...(expected === null ? [] : [found === null ? `${expected} is not live yet` : `${found} is still live`]),
    ...(unchanged ? ['the bundle has not changed yet'] : []),
  ];
  return all.length === 0 ? '' : `: ${all.join('; ')}`;
}

const BOTH = { 'in-turn': 'old and new in turn', 'at-once': 'old and new at once' } as const;

const waitingMessages: WaitingMessages = {
  starting: () => 'asking for the first time',
  noAnswer: (reason) => `waiting for an answer: ${reason}`,
  refused: (status) =>
    status === 429 ? 'slowing down: the host returns 429' : `slowing down: the host returns ${status} to everything`,
  old: (old) => `waiting for the new version${still(old)}`,
  partlyOld: (old) => `waiting for all of the new version${still(old)}`,
  notKnown: (why) =>
    `waiting for the new version, which cannot be distinguished from the old one yet: ${why.join('; ')}`,
  notWell: (ids) => `waiting until all checks pass: ${ids.join(', ')}`,
  lookingOn: () => 'there is something new: looking at more of it',
  good: (count, wanted) => `well so far: good round ${count} of ${wanted}`,
  whole: () => 'checking the whole site',
  timeUp: () => 'the time is up: checking once more for the report',
  line: (what, { round, elapsedMs, forMs, pauseMs }) =>
    `${what} · round ${round} · ${minutes(elapsedMs)} of ${minutes(forMs)}${pauseMs === null ? '' : ` · next in ${toNext(pauseMs)}\u00a0s`}`,
  stale(old) {
    const all = facts(old);
    const versions = old.both === null ? 'the old version' : BOTH[old.both];
    return `healthy, but ${versions}${all.length === 0 ? '' : `: ${all.join('; ')}`}`;
  },
  unfinished: (old, why) =>
    why === 'stopped'
      ? `stopped while waiting${still(old)}`
      : `the time is up, and not everything was checked${still(old)}`,
  clocks({ by, elapsedMs, rounds, firstNewMs, allNewMs, allGreenMs, alreadyLive }: Waited) {
    const isHealth = by === 'health';
    const live = isHealth ? 'healthy' : 'live';
    if (alreadyLive) return `was ${live} already: ${counted(rounds, 'round', 'rounds')} in ${time(elapsedMs)}`;
    const head =
      allGreenMs === null
        ? `not ${live} after ${time(elapsedMs)} and ${counted(rounds, 'round', 'rounds')}`
        : `${live} after ${time(allGreenMs)}`;
    const clocks = [
      ...clock(isHealth ? 'first good answer' : 'first new byte', firstNewMs),
      ...clock(isHealth ? 'all good' : 'all samples', allNewMs),
      ...clock(isHealth ? 'stable' : 'all green', allGreenMs),
    ];
    return clocks.length === 0 ? head : `${head}: ${clocks.join(', ')}`;
  },
};

const didYouMean = (nearest: string | null): string => (nearest === null ? '' : ` Did you mean ${nearest}?`);
const checks = (count: number): string => (count === 1 ? '1 check' : `${count} checks`);
const total = (counts: Counts): number => counts.pass + counts.warn + counts.fail + counts.skip + counts.unknown;

/** Degraded by nothing but warnings. */
const isStrict = (verdict: Verdict, counts: Counts): boolean => verdict === 'degraded' && counts.fail === 0;

function outcome(verdict: Verdict, counts: Counts): string {
  const of = `of ${checks(total(counts))}`;
  if (counts.fail > 0) return `${counts.fail} ${of} failed`;
  if (isStrict(verdict, counts))
    return `${counts.warn} ${of} ${counts.warn === 1 ? 'has' : 'have'} warnings, which strict mode does not allow`;
  if (verdict === 'unknown') return `${counts.unknown} ${of} could not be completed`;
  return `${checks(counts.pass + counts.warn)} passed`;
}

/** What of `--version-from` is wrong. */
const VERSION_FROM = {
  path: 'is no path of a file of the site',
  'path-outside': 'leads out of the site',
  pointer: 'its JSON Pointer is none (RFC 6901)',
  regex: 'its regular expression is none',
} as const;

export const messages: Messages = {
  statuses: { pass: 'pass', warn: 'warn', fail: 'fail', skip: 'skip', unknown: 'unknown' },
  verdicts: { healthy: 'healthy', degraded: 'degraded', down: 'down', stale: 'stale', unknown: 'unknown' },
  waiting: waitingMessages,
  fix: 'Fix:',
  explain: {
    severity: 'Severity:',
    reportedBy: 'Reported by:',
    happened: 'What happened',
    matters: 'Why it matters',
    fix: 'Fix',
    verify: 'Verify',
    turnOff: 'Turn it off',
    notRated: 'It reports no fault of the site, so it cannot be turned off.',
    rules: 'Rules',
  },
  documentedAction: 'Documented action:',
  summary(verdict, counts, durationMs) {
    // Where none failed, that is what the outcome says.
    const unknown = counts.fail === 0 || counts.unknown === 0 ? '' : `, ${counts.unknown} could not be completed`;
    const warnings =
      counts.warn === 0 || isStrict(verdict, counts)
        ? ''
        : `, ${counts.warn === 1 ? '1 with a warning' : `${counts.warn} with warnings`}`;
    const skipped = counts.skip === 0 ? '' : `, ${counts.skip} skipped`;
    return `${outcome(verdict, counts)}${unknown}${warnings}${skipped} (${seconds(durationMs, 'en')})`;
  },
  verdictLine: (verdict, summary) => `${verdict}: ${summary}`,
  sameFix: (finding) => `the same as for ${finding} above.`,
  more: (count) => `… and ${count} more (--verbose or --format json shows all).`,
  moreInLog: (count) => `… and ${count} more: see the log of this step.`,
  leftOutOfSarif: (count) =>
    `Findings left out so that code scanning takes the file: ${count}. The JSON report has them all.`,
  onlyCounted: (count) => `Further findings of the same kind, which are only counted: ${count}.`,
  standardOutput: 'standard output',
  sameCause: (count) => `One cause for ${count} checks:`,
  interrupted: () => 'Stopped before the end; this is what is known so far.',
  serving: (folder, host, url) => `Serving ${folder} by the rules of host kind ${host} at ${url} (Ctrl-C ends it)`,
  missingInFolder: (folder, files) =>
    `${folder} is not a complete site. Missing: ${files}. Requests for them return 404 until they exist.`,
  checkPreview: (command) => `Check it with: ${command}`,
  progress: (waiting, elapsedMs) => `waiting for ${waiting.join(', ')} (${seconds(elapsedMs, 'en')})`,
  milliseconds: (ms) => wholeMilliseconds(ms, 'en'),
  goodConfiguration: (file) => `${file} is in order.`,
  urlNotWatched: () => 'The monitor does not watch url: it watches what sites lists.',
  noConfiguration: () => 'There is no configuration here; the defaults hold.',
  cannotWrite: (target, reason) => `cannot write ${target}: ${reason}`,
  internalError: (detail) => `internal error, please report it with the command that you ran: ${detail}`,
  unknownOption: (option, nearest) => `unknown option ${option}.${didYouMean(nearest)}`,
  unknownCommand: (command, nearest) => `unknown command ${command}.${didYouMean(nearest)}`,
  missingArgument: (name) => `the argument <${name}> is missing.`,
  missingOption: (option) => `${option} is missing.`,
  missingValue: (option) => `${option} needs a value.`,
  emptyValue: (option) => `${option} is empty. Was a variable perhaps not set?`,
  needsOption: (option, needed) => `${option} means something with ${needed} only.`,
  badVersion: (option, given) => `${option}: ${given} is no name of a version, such as a commit (3f2a91c) or 1.4.0.`,
  badVersionFrom: (option, given, problem) =>
    `${option}: ${given}: ${VERSION_FROM[problem]}. Write it as version.json#/commit, build.txt or app.txt#rev: (\\w+).`,
  badSince: (option, given) =>
    `${option}: ${given} is no ETag, no date (2026-03-01T12:00:00Z, seconds since 1970, or as in Last-Modified) and not the word now.`,
  badMoment: (option, given) =>
    `${option}: ${given} is neither how long ago (24h, 7d) nor a date (2026-03-01T12:00:00Z).`,
  emptyTime: (since, until) => `${since} is not before ${until}: there is no time between them.`,
  noValue: (option) => `${option} takes no value.`,
  reservedHeader: (name) => `--header: ${name} is set by the HTTP client itself and cannot be changed.`,
  excessArguments: () => 'too many arguments. Quote what belongs together.',
  badDuration: (option, given) =>
    `${option}: ${given} is no duration. Write a number and a unit, such as 500ms, 10s, 2m.`,
  durationTooLong: (option, given, most) => `${option}: ${given} is too long. At most ${most}.`,
  durationTooShort: (option, given, least) => `${option}: ${given} is too short. At least ${least}.`,
  badCount: (option, given, least, most) => `${option}: ${given} is no whole number from ${least} to ${most}.`,
  badRate: (given) => `--rate: ${given} is no number of requests a second, such as 10 or 0.5.`,
  unknownHost: (given, known) => `--host: unknown kind of host ${given}. Known: ${known}.`,
  unknownHostKind: (given, known) => `unknown kind of host ${given}. Known: ${known}.`,
  badBase: (given) => `--base: ${given} is no path of plain names, such as /docs/.`,
  fileExists: (file) => `${file} is there already. --force overwrites it.`,
  foreignFile: (folder, file) =>
    `${folder} holds ${file}, which no export wrote. Choose a folder of its own, or --force to write there all the same.`,
  proposedAddress: () =>
    '--header: the configuration may only be proposed, and the headers would go to the address that it names. Give the address with the headers, and leave `resolve` out of the configuration.',
  notAFolder: (given) => `${given} is no folder.`,
  portTaken: (port) => `--port: ${port} is taken. Choose another, or 0 for any that is free.`,
  cannotListen: (port, detail) => `--port: ${port} cannot be used (${detail}). Choose another.`,
  badListen: (option, given) =>
    `${option}: ${given} is no host and port. Write it as 127.0.0.1:9464, [::1]:9464 or 0.0.0.0:9464.`,
  addressTaken: (address) => `${address} is taken: another program listens there. Choose another port with --listen.`,
  cannotListenAt: (address, detail) => `${address} cannot be listened at (${detail}). Choose another with --listen.`,
  nothingToWatch: () =>
    'the configuration names no site to watch. Add to docvitals.yaml: url: https://docs.example.com/, or a list of sites: each with an id and a url.',
  badSource: (given, detail) =>
    `--source: ${given} is no folder, Git ref or hash manifest that can be read (${detail}). Write it as docs, HEAD:docs or manifest.json.`,
  crawling: (done, known) => `${done} of ${known} files`,
  badRepository: (option, given) =>
    `${option}: ${given} is no folder and no address of a Git repository, such as https://github.com/acme/docs.git.`,
  noSource: () =>
    '--only source: say what the site is deployed from: --source docs, --source HEAD:docs or --source manifest.json.',
  noVersion: () =>
    '--only deployed-version: say which version is to be live: --expect-version 3f2a91c, or --since with an ETag, a date or now.',
  unreadable: (file, detail) => `cannot read ${file}: ${detail}.`,
  badHeader: () => "--header: expected 'Name: value'.",
  badResolve: (given) => `--resolve: ${given} is not host:port:address, such as docs.example.com:443:192.0.2.7.`,
  badReport: (given) => `--report: ${given} is not format=file, such as json=report.json.`,
  reportIsConfiguration: (file) => `--report: ${file} is the name of the configuration file. Choose another.`,
  sameReport: (one, other) => `--report: ${one} and ${other} are the same file. Give each report its own.`,
  noReportFolder: (file, folder) => `--report: ${file} cannot be written, because there is no folder ${folder}.`,
  reportIsFolder: (file) => `--report: ${file} is a folder. Name a file in it.`,
  unwritableReport: (file, reason) => `--report: ${file} cannot be written (${reason}).`,
  unknownFormat: (option, given, known, nearest) =>
    `${option}: unknown format ${given}.${didYouMean(nearest)} Known: ${known}.`,
  unknownValue: (option, given, known, nearest) =>
    `${option}: unknown value ${given}.${didYouMean(nearest)} Known: ${known}.`,
  unknownLanguage: (given, known) => `--lang: unknown language ${given}. Known: ${known}.`,
  unknownCheck: (option, given, known, nearest) =>
    `${option}: unknown check ${given}.${didYouMean(nearest)} Known: ${known}.`,
  unknownSite: (option, given, known, nearest) =>
    known === ''
      ? `${option}: the configuration lists no site ${given}: it has no sites.`
      : `${option}: the configuration lists no site ${given}.${didYouMean(nearest)} Known: ${known}.`,
  unknownRoute: (given, known, nearest) =>
    known === ''
      ? `alert: the configuration has no alert route ${given}: it lists none under alerts.`
      : `alert: the configuration has no alert route ${given}.${didYouMean(nearest)} Known: ${known}.`,
  noSiteChosen: (known) => `no base URL. Give one, or choose a site of the configuration with --site. Known: ${known}.`,
  unknownCode: (check, given, known, nearest) =>
    `${check} has no finding ${given}.${nearest === null ? ` It has: ${known}.` : didYouMean(nearest)}`,
  unknownExample: (given, known, nearest) => `unknown example ${given}.${didYouMean(nearest)} Known: ${known}.`,
  unknownShell: (given, known, nearest) => `unknown shell ${given}.${didYouMean(nearest)} Known: ${known}.`,
  noChecksLeft: () => '--only and --skip leave no check to run.',
  exclusive: (one, other) => `${one} and ${other} exclude each other.`,
  badProxy: (variable) => `the environment variable ${variable} holds no http or https proxy URL.`,
  noUrl: () => 'no base URL. Give one (docvitals check https://docs.example.com/) or set url in docvitals.yaml.',
  secretInUrl: (option) =>
    `${option}: leave the user name and the password out; the file is committed. Send them with headers instead.`,
  nobodyToAsk: (options) => `there is no terminal to ask on. Give ${options}, or --yes to take what was found.`,
  noSiteUrl: () => 'no address of the site was found here. Give it: --url https://docs.example.com/.',
  outsideFolder: (option, given) => `${option}: ${given} is not inside the folder that is set up.`,
  hostingNeedsHost: () => '--hosting: the kind of host is not known. Give it too: --host server, platform or worker.',
  hostingBase: (path) =>
    `--hosting: no configuration can be made for the path ${path}; only plain names can stand in it.`,
  unknownWorkflow: (given, known, nearest) =>
    `--workflow: unknown workflow ${given}.${didYouMean(nearest)} Known: ${known}.`,
  unknownAction: (command, given, known, nearest) =>
    `${command}: unknown action ${given}.${didYouMean(nearest)} Known: ${known}.`,
  unknownConfigAction: (given, known, nearest) =>
    `config: unknown action ${given}.${didYouMean(nearest)} Known: ${known}.`,
  baseUrl(problem, given) {
    if (problem === 'file') {
      return `${given}: a docs site does not work from file:, because the browser blocks the requests that the engine makes. Serve the folder over HTTP and check that address.`;
    }
    if (problem === 'scheme') return `${given}: only http and https addresses can be checked.`;
    if (problem === 'no-scheme') return `${given}: the scheme is missing. Did you mean https://${given}?`;
    if (problem === 'no-host') return `${given}: the host is missing. Write it as https://docs.example.com/.`;
    return `${given} is no web address. Write it as https://docs.example.com/.`;
  },
  seeHelp: (command) => `See ${command} --help.`,
};
