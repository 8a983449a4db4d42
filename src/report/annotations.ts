/** A report as annotations of files in a repository, as GitHub shows them. Pure. */
import type { CheckResult, Evidence, Severity, Report, Finding, Location } from '../check.ts';
import { failing, sharedCause } from './cause.ts';
import { cutText } from './cut.ts';
import type { Language } from '../texts.ts';
import { factLines } from './facts.ts';
import { groupsOf, type Group } from './groups.ts';
import type { ReportOptions, RepositoryLocation, Locate } from './options.ts';
import { shownLocationsOf, repositoryLocationOf } from './location.ts';
import { logLine } from './workflow-command.ts';
import { adviceWord } from './advice.ts';

/** What is good to know has no annotation, so there are no notices. */
export type AnnotationLevel = 'error' | 'warning';

/** One annotation. No line of its texts can be taken for a workflow command; they may hold line feeds. */
export interface Annotation {
  readonly level: AnnotationLevel;
  /** Check and code, e.g. `links/missing ×3 · Links and pages`. */
  readonly title: string;
  /** Problem, where it shows, fix, URL: a line for each. */
  readonly message: string;
  /** `null`: it is not known in the repository. */
  readonly location: RepositoryLocation | null;
}

/** The runner keeps the first ten of a level in each step, and only logs the rest. */
const MOST_OF_ONE_LEVEL = 10;
/** The runner cuts messages at 4,096 characters, without telling how much. */
const LONGEST_MESSAGE = 4_000;
const LONGEST_TITLE = 200;
const LONGEST_SENTENCE = 1_000;
const LONGEST_FACTS = 300;
/** Findings of one annotation that are reported, or places of its only finding. */
const MOST_MEMBERS = 10;
/** Places of one of several findings. */
const MOST_LOCATIONS = 3;

/** What is good to know is in the log; what could not be determined is no error of the site. */
const LEVELS: Readonly<Record<Severity, AnnotationLevel | null>> = {
  error: 'error',
  warning: 'warning',
  unknown: 'warning',
  info: null,
  skip: null,
};

/** A group that has an annotation, with the check that told it. */
interface Annotated extends Group {
  readonly level: AnnotationLevel;
  readonly result: CheckResult;
}

/**
 * At most ten errors, then at most ten warnings, in the order of the checks: one for each check, severity and code, and as
 * far as there is room one for each line of the repository that is at fault. What has none of its own is reported in the
 * last one of its check and code; where there are more of those than ten, each check keeps its first, and the last
 * annotation of all shows how many findings have none.
 */
export function annotationsOf(report: Report, options: ReportOptions): readonly Annotation[] {
  const cause = sharedCause(report.checks, options.texts);
  const groups = report.checks.flatMap(annotatedOf);
  if (cause !== null) {
    const group = groups.find(({ result }) => result.id === cause.id);
    return group === undefined ? [] : [sharedAnnotation(group, report, options)];
  }
  return (['error', 'warning'] as const).flatMap((level) => {
    const ofLevel = groups.filter((group) => group.level === level);
    const kept = fairlyChosen(ofLevel);
    const leftOut = countOf(ofLevel) - countOf(kept);
    const shares = shared(kept, MOST_OF_ONE_LEVEL, options.locate);
    return shares.map((share, index) => {
      const more = leftOut > 0 && index === shares.length - 1 ? [options.messages.moreInLog(leftOut)] : [];
      return annotation(share, more, options);
    });
  });
}

function annotatedOf(result: CheckResult): readonly Annotated[] {
  return groupsOf(result).flatMap((group) => {
    const level = LEVELS[group.severity];
    return level === null ? [] : [{ ...group, level, result }];
  });
}

/** The first of every check before the second of any. */
function fairlyChosen(groups: readonly Annotated[]): readonly Annotated[] {
  const ofCheck = [...Map.groupBy(groups, ({ result }) => result.id).values()];
  const longest = Math.max(0, ...ofCheck.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, turn) => ofCheck.flatMap((own) => own.slice(turn, turn + 1)));
  const kept = new Set(inTurn.flat().slice(0, MOST_OF_ONE_LEVEL));
  return groups.filter((group) => kept.has(group));
}

function countOf(groups: readonly Group[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0);
}

function annotation(
  { group, location }: Share<Annotated>,
  more: readonly string[],
  options: ReportOptions,
): Annotation {
  const { id, rule, level, result } = group;
  const text = options.texts.finding(id, rule);
  return {
    level,
    title: titleOf(group, group.count, options),
    message: messageOf(
      [text?.problem ?? rule, ...memberLines(group, options)],
      [...fixOf(group, text?.fix, options), result.url, ...more],
    ),
    location,
  };
}

/** One cause behind all checks is reported once, and is about no file. */
function sharedAnnotation(group: Annotated, { checks, site }: Report, options: ReportOptions): Annotation {
  const { id, rule, level, findings } = group;
  const text = options.texts.finding(id, rule);
  const count = failing(checks).length;
  return {
    level,
    title: titleOf(group, 1, options),
    message: messageOf(
      [
        `${options.messages.sameCause(count)} ${text?.problem ?? rule}`,
        ...findings.map(({ evidence }) => factsLine(evidence, options.texts.language)),
      ],
      [...fixOf(group, text?.fix, options), site.url],
    ),
    location: null,
  };
}

function titleOf({ id, rule }: Group, count: number, { texts }: ReportOptions): string {
  const title = texts.check(id)?.title;
  const times = count > 1 ? ` ×${count}` : '';
  return cutText(logLine(`${id}/${rule}${times}${title === undefined ? '' : ` · ${title}`}`), LONGEST_TITLE);
}

function fixOf({ severity }: Group, fix: string | undefined, options: ReportOptions): readonly string[] {
  return fix === undefined || fix === '' ? [] : [`${adviceWord(severity, options)} ${fix}`];
}

/** Where the findings show, with their facts: the first ones, then how many more there are. */
function memberLines({ findings, count }: Group, { texts, locate }: ReportOptions): readonly string[] {
  const lines = findings.slice(0, MOST_MEMBERS).flatMap((finding) => {
    const all = shownLocationsOf(finding, locate);
    const shown = all.slice(0, findings.length === 1 ? MOST_MEMBERS : MOST_LOCATIONS);
    const more = all.length > shown.length ? [`… +${all.length - shown.length}`] : [];
    const where = [...shown, ...more].join(', ');
    const facts = factsLine(finding.evidence, texts.language);
    const line = [where, facts].filter((part) => part !== '').join(' · ');
    return line === '' ? [] : [line];
  });
  const more = count - Math.min(findings.length, MOST_MEMBERS);
  return more > 0 ? [...lines, `… +${more}`] : lines;
}

function factsLine(evidence: Evidence, language: Language): string {
  return factLines(evidence, language).join(' · ');
}

/** Sentences stay whole, facts are cut; where it is too much in all, the tail is kept. */
function messageOf([problem = '', ...facts]: readonly string[], tail: readonly string[]): string {
  const shown = (lines: readonly string[], longest: number): string =>
    lines.flatMap((line) => (line === '' ? [] : [cutText(logLine(line), longest)])).join('\n');
  const end = shown(tail, LONGEST_SENTENCE);
  const body = [shown([problem], LONGEST_SENTENCE), shown(facts, LONGEST_FACTS)].filter((part) => part !== '');
  return `${cutText(body.join('\n'), LONGEST_MESSAGE - end.length - 1)}\n${end}`;
}

/* Which places have an annotation of their own, where there is room for so many. Pure. */

/** What one annotation tells of a group: the findings at one place, or at all the places that are left. */
interface Share<G extends Group> {
  /** With these findings only. */
  readonly group: G;
  /** `null`: it is not known in the repository. */
  readonly location: RepositoryLocation | null;
}

/** Findings, each with those of its places that are on one line of the repository. */
interface Spot {
  readonly location: RepositoryLocation | null;
  readonly members: readonly Member[];
}

/** A finding at one of its places. */
interface Member {
  readonly finding: Finding;
  /** `null`: the file as a whole, or none that is known. */
  readonly location: Location | null;
}

/**
 * The groups as at most so many shares, in the order of the groups. Each group has one; what is left goes to the checks
 * in turn, and in a check to its groups in turn. The last share of a group has all that has none of its own.
 */
export function shared<G extends Group>(groups: readonly G[], most: number, locate: Locate): readonly Share<G>[] {
  const spots = new Map(groups.map((group) => [group, spotsOf(group, locate)]));
  const wanted = (group: G): number =>
    isWhole(group) ? 1 : (spots.get(group)?.filter(({ location }) => location !== null).length ?? 0);
  const given = new Map(groups.map((group) => [group, 1]));
  const ofCheck = [...Map.groupBy(groups, ({ id }) => id).values()];
  let left = most - groups.length;
  for (let before = -1; left > 0 && left !== before;) {
    before = left;
    for (const own of ofCheck) {
      const next = own
        .filter((group) => wanted(group) > (given.get(group) ?? 0))
        .toSorted((one, other) => (given.get(one) ?? 0) - (given.get(other) ?? 0))
        .at(0);
      if (next === undefined || left === 0) continue;
      given.set(next, (given.get(next) ?? 0) + 1);
      left -= 1;
    }
  }
  return groups.flatMap((group) => sharesOf(group, spots.get(group) ?? [], given.get(group) ?? 1));
}

/** What differs from the source is told of the deployment: the lines are right as they stand, and one of them is enough. */
const isWhole = ({ role }: Group): boolean => role === 'source';

function sharesOf<G extends Group>(group: G, spots: readonly Spot[], count: number): readonly Share<G>[] {
  const location = spots[0]?.location ?? null;
  if (count === 1) return [{ group, location }];
  const alone = spots
    .slice(0, count - 1)
    .map((spot) => ({ group: withMembers(group, spot.members), location: spot.location }));
  const others = spots.slice(count - 1);
  const rest = withMembers(
    group,
    others.flatMap(({ members }) => members),
  );
  // Those that are not reported one by one are left, too.
  const untold = group.count - group.findings.length;
  return [...alone, { group: { ...rest, count: rest.count + untold }, location: others[0]?.location ?? null }];
}

/** The group with these findings at these places only. */
function withMembers<G extends Group>(group: G, members: readonly Member[]): G {
  const byFinding = Map.groupBy(members, ({ finding }) => finding);
  const findings = [...byFinding].map(([finding, own]) => {
    const [first, ...others] = own.flatMap(({ location }) => (location === null ? [] : [location]));
    const { location: _, locations: __, ...bare } = finding;
    if (first === undefined) return bare;
    return { ...bare, location: first, ...(others.length === 0 ? {} : { locations: [first, ...others] }) };
  });
  return { ...group, findings, count: findings.length };
}

/**
 * Where a group shows, each line of the repository once: a line is worth more than a file, and a file more than nothing;
 * the first place of each finding comes before the others of any.
 */
function spotsOf({ findings }: Group, locate: Locate): readonly Spot[] {
  const firsts = findings.map((finding) => ({ finding, location: finding.location ?? null }));
  const others = findings.flatMap((finding) =>
    (finding.locations ?? []).flatMap((location) =>
      isSame(location, finding.location) ? [] : [{ finding, location }],
    ),
  );
  const found = [...firsts, ...others].map((member) => ({ member, place: locationOf(member, locate) }));
  const spots = [...Map.groupBy(found, ({ place }) => keyOf(place)).values()].flatMap((all) =>
    all.slice(0, 1).map(({ place: location }) => ({ location, members: all.map(({ member }) => member) })),
  );
  return spots.toSorted((one, other) => weight(one) - weight(other));
}

function locationOf({ finding, location }: Member, locate: Locate): RepositoryLocation | null {
  return location === null ? repositoryLocationOf(finding, locate) : locate(location);
}

const isSame = (one: Location, other: Location | undefined): boolean =>
  one.path === other?.path && one.line === other.line && one.column === other.column;

const keyOf = (location: RepositoryLocation | null): string =>
  location === null ? '' : `${location.line}:${location.file}`;

function weight({ location }: Spot): number {
  if (location === null) return 2;
  return location.line === null ? 1 : 0;
}
