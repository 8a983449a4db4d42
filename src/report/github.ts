/** A report for GitHub Actions: annotations of files in the repository, and the log of a step. Pure. */
import type { Evidence } from '../core/answer.ts';
import type { Report } from '../core/check.ts';
import type { Finding, Location } from '../core/finding.ts';
import { inertLine, printable } from '../text/printable.ts';
import { cutText, singleSpaced } from './cut.ts';
import { factLines } from './facts.ts';
import { adviceWord, failing, groupsOf, levelOf, sharedCause, timesText, type Group } from './groups.ts';
import type { ReportOptions } from './formats.ts';
import { repositoryLocationOf, shownLocation, type Locate, type RepositoryLocation } from './location.ts';
import { prettySections } from './pretty.ts';

/** The log of a step: the terminal's report, folded by check, with the annotations as commands before the verdict. */
export function githubReport(
  report: Report,
  options: ReportOptions,
  annotations: readonly Annotation[] = annotationsOf(report, options),
): string {
  const { head, checks, cause, verdict } = prettySections(report, { ...options, colour: false });
  const lines = singleSpaced([
    ...head.map(logLine),
    '',
    ...checks.flatMap(folded),
    ...cause.map(logLine),
    '',
    ...annotations.map(({ level, title, message, location }) => {
      const { file, line, column: col } = location ?? {};
      return workflowCommand(level, { file, line, col, title }, message);
    }),
    '',
    ...verdict.map(logLine),
  ]);
  return `${lines.join('\n')}\n`;
}

/** A check under its row; one without details is its row alone. */
function folded(lines: readonly string[]): readonly string[] {
  const [row = '', ...rest] = lines.map(logLine);
  const from = rest.findIndex((line) => line !== '');
  if (from === -1) return [row];
  const to = rest.findLastIndex((line) => line !== '');
  return [workflowCommand('group', {}, row), ...rest.slice(from, to + 1), workflowCommand('endgroup')];
}

/** No line of its texts can be taken for a workflow command; they may have line feeds. */
export type Annotation = Readonly<ReturnType<typeof annotation>>;

/** The runner keeps the first ten of a level in each step, and only logs the rest. */
const MOST_OF_ONE_LEVEL = 10;
/** The runner cuts messages at 4,096 characters, without a mark. */
const LONGEST_MESSAGE = 4_000;
const LONGEST_TITLE = 200;
const LONGEST_SENTENCE = 1_000;
const LONGEST_FACTS = 300;
/** Findings of one annotation that are listed, or locations of its only finding. */
const MOST_MEMBERS = 10;
/** Locations of one of several findings. */
const MOST_LOCATIONS = 3;

/**
 * At most ten errors, then at most ten warnings, in the order of the checks: one for each check, severity and rule, and
 * as far as there is room one for each faulty line of the repository. The rest is in the last annotation of its rule.
 * With more than ten groups each check keeps its first, and the last annotation counts the findings that have none.
 */
export function annotationsOf(report: Report, options: ReportOptions): readonly Annotation[] {
  const { messages, locate } = options;
  const cause = sharedCause(report.checks, options.texts);
  if (cause !== null) {
    // It is about no file.
    const lead = `${messages.sameCause(failing(report.checks).length)} `;
    const facts = cause.findings.map(({ evidence }) => factsLine(evidence, options));
    return [annotation(cause, null, facts, [report.site.url], options, lead)];
  }
  const urls = new Map(report.checks.map(({ id, url }) => [id, url]));
  // An effect is not a second fault; notes are in the log only.
  const groups = report.checks.flatMap(groupsOf).filter((group) => group.cause === undefined);
  return (['error', 'warning'] as const).flatMap((level) => {
    const ofLevel = groups.filter((group) => levelOf(group) === level);
    const shares = sharesOf(ofLevel, MOST_OF_ONE_LEVEL, locate);
    const kept = new Set(shares.map(({ group }) => group));
    const leftOut = ofLevel.reduce((sum, group) => sum + (kept.has(group) ? 0 : group.count), 0);
    return shares.map((share, index) => {
      const more = leftOut > 0 && index === shares.length - 1 ? [messages.moreInLog(leftOut)] : [];
      const { group, location, count } = share;
      const tail = [urls.get(group.id) ?? '', ...more];
      return annotation({ ...group, count }, location, memberLines(share, options), tail, options);
    });
  });
}

/** `lead` precedes the problem; `facts` follow it, and `tail` follows the fix. Sentences stay whole, facts are cut. */
function annotation(
  { id, rule, severity, count }: Group,
  location: RepositoryLocation | null,
  facts: readonly string[],
  tail: readonly string[],
  options: ReportOptions,
  lead = '',
) {
  const { problem = rule, fix = '' } = options.texts.finding(id, rule) ?? {};
  const title = options.texts.check(id)?.title;
  const name = `${id}/${rule}${timesText(count)}${title === undefined ? '' : ` · ${title}`}`;
  const action = fix === '' ? [] : `${adviceWord(severity, options)} ${fix}`.split('\n');
  const end = logLines([...action, ...tail], LONGEST_SENTENCE);
  const body = [...logLines([`${lead}${problem}`], LONGEST_SENTENCE), ...logLines(facts, LONGEST_FACTS)].join('\n');
  const room = LONGEST_MESSAGE - end.join('\n').length - 1;
  return {
    level: severity === 'error' ? ('error' as const) : ('warning' as const),
    /** Check and rule, e.g. `links/missing ×3 · Links and pages`. */
    title: cutText(logLine(name), LONGEST_TITLE),
    /** Problem, locations and facts, fix, URL: a line for each. */
    message: [cutText(body, room), ...end].join('\n'),
    /** `null`: it is not known in the repository. */
    location,
  };
}

function logLines(lines: readonly string[], longest: number): readonly string[] {
  return lines.flatMap((line) => (line === '' ? [] : [cutText(logLine(line), longest)]));
}

function memberLines({ members, count }: Share, options: ReportOptions): readonly string[] {
  const findings = [...Map.groupBy(members, ([finding]) => finding)];
  const lines = findings.slice(0, MOST_MEMBERS).flatMap(([{ evidence }, own]) => {
    const locations = own.flatMap(([, location]) => location ?? []);
    const all = [...new Set(locations.map((location) => shownLocation(location, options.locate)))];
    const shown = all.slice(0, findings.length === 1 ? MOST_MEMBERS : MOST_LOCATIONS);
    const where = [...shown, ...plus(all.length - shown.length)].join(', ');
    const line = [where, factsLine(evidence, options)].filter((part) => part !== '').join(' · ');
    return line === '' ? [] : [line];
  });
  return [...lines, ...plus(count - Math.min(findings.length, MOST_MEMBERS))];
}

const plus = (more: number): readonly string[] => (more > 0 ? [`… +${more}`] : []);

function factsLine(evidence: Evidence, { texts }: ReportOptions): string {
  return factLines(evidence, texts.language).join(' · ');
}

/* Which lines of the repository have an annotation of their own. */

/** A finding at one of its locations; `null`: the file as a whole, or none that is known. */
type Member = readonly [finding: Finding, location: Location | null];

/** The findings of a group at one location in the repository. */
interface Spot extends Pick<Annotation, 'location'> {
  readonly members: Member[];
}

/** What one annotation reports of a group: the findings at one location, or also at all the locations that are left. */
interface Share extends Spot {
  readonly group: Group;
  readonly count: number;
}

/**
 * At most so many locations of the groups, in the order of the groups. The first of each group come before the others,
 * and both go to the checks in turn, and in a check to its groups in turn. The last share of a group has all else of it.
 */
export function sharesOf(groups: readonly Group[], most: number, locate: Locate): readonly Share[] {
  const spots = groups.flatMap((group) => spotsOf(group, locate).map((spot, rank) => ({ ...spot, group, rank })));
  const byRank = spots.toSorted((one, other) => one.rank - other.rank);
  const first = byRank.filter(({ rank }) => rank === 0);
  // Of files that differ from the source one location is enough.
  const further = byRank.filter(
    ({ rank, location, group }) => rank > 0 && location !== null && group.role !== 'source',
  );
  const kept = new Set([...inTurn(first), ...inTurn(further)].slice(0, most));
  return groups.flatMap((group) => {
    const own = spots.filter((spot) => spot.group === group);
    const shown = own.filter((spot) => kept.has(spot));
    return shown.map(({ location, members }, index) => {
      if (index < shown.length - 1) return { group, location, members, count: findingsIn(members) };
      const all = own.slice(index).flatMap((spot) => spot.members);
      // Findings that are only counted belong to the last share.
      return { group, location, members: all, count: findingsIn(all) + group.count - group.findings.length };
    });
  });
}

const findingsIn = (members: readonly Member[]): number => new Set(members.map(([finding]) => finding)).size;

/** The first of every check before the second of any. */
function inTurn<T extends { readonly group: Group }>(spots: readonly T[]): readonly T[] {
  const ofChecks = Map.groupBy(spots, ({ group }) => group.id).values();
  const turns = [...ofChecks].flatMap((own) => own.map((spot, turn) => ({ spot, turn })));
  return turns.toSorted((one, other) => one.turn - other.turn).map(({ spot }) => spot);
}

/**
 * Each location in the repository with the findings of a group there: lines before files, files before nothing, and the
 * first location of each finding before the others of any.
 */
function spotsOf({ findings }: Group, locate: Locate): readonly Spot[] {
  const firsts = findings.map((finding): Member => [finding, finding.location ?? null]);
  const others = findings.flatMap((finding) =>
    (finding.locations ?? []).map((location): Member => [finding, location]),
  );
  const spots = new Map<string, Spot>();
  for (const member of [...firsts, ...others]) {
    const [finding, location] = member;
    const found = location === null ? repositoryLocationOf(finding, locate) : locate(location);
    const key = found === null ? '' : `${found.line}:${found.file}`;
    const spot = spots.get(key) ?? { location: found, members: [] };
    spot.members.push(member);
    spots.set(key, spot);
  }
  const weight = ({ location }: Spot): number => (location === null ? 2 : Number(location.line === null));
  return [...spots.values()].toSorted((one, other) => weight(one) - weight(other));
}

/* What a runner reads from a step's output: workflow commands, and lines of the log that must be none. */

/** A command on one line, without its line end. A property without a value is left out. */
export function workflowCommand(
  name: 'error' | 'warning' | 'notice' | 'group' | 'endgroup' | 'add-mask',
  properties: Readonly<Record<string, string | number | null | undefined>> = {},
  data = '',
): string {
  const given = Object.entries(properties).flatMap(([key, value]) =>
    value === null || value === undefined || value === '' ? [] : [`${key}=${escapedProperty(String(value))}`],
  );
  return `::${name}${given.length === 0 ? '' : ` ${given.join(',')}`}::${escapedData(data)}`;
}

/** A text as one line of the log: printable, and nothing that the runner or its log viewer would act on. */
export function logLine(text: string): string {
  return inertLine(printable(text));
}

/** A carriage return ends a line, too (actions/runner: ActionCommand, OutputManager). */
function escapedData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
