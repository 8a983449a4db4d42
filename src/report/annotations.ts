/** A report as annotations of files in a repository, as GitHub shows them. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { CheckResult, Evidence, Severity, Report, Finding, Location } from '../check.ts';
import { cutText } from './cut.ts';
import { factLines } from './facts.ts';
import { adviceWord, failing, groupsOf, sharedCause, type Group } from './groups.ts';
import type { ReportOptions, RepositoryLocation, Locate } from './options.ts';
import { shownLocationsOf, repositoryLocationOf } from './location.ts';
import { logLine } from './workflow-command.ts';

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
/** The runner cuts messages at 4,096 characters, without saying how much. */
const LONGEST_MESSAGE = 4_000;
const LONGEST_TITLE = 200;
const LONGEST_SENTENCE = 1_000;
const LONGEST_FACTS = 300;
/** Findings of one annotation that are reported, or places of its only finding. */
const MOST_MEMBERS = 10;
/** Places of one of several findings. */
const MOST_LOCATIONS = 3;

/** What is good to know is in the log; what could not be determined is not an error of the site. */
const LEVELS: Readonly<Partial<Record<Severity, AnnotationLevel>>> = {
  error: 'error',
  warning: 'warning',
  unknown: 'warning',
};

/** A group that has an annotation, with the check that reported it. */
interface Annotated extends Group {
  readonly level: AnnotationLevel;
  readonly result: CheckResult;
}

/**
 * At most ten errors, then at most ten warnings, in the order of the checks: one for each check, severity and rule, and
 * as far as there is room one for each line of the repository that is at fault. The rest is in the last annotation of
 * its check and rule; where there are more of those than ten, each check keeps its first, and the last annotation of all
 * shows how many findings have none.
 */
export function annotationsOf(report: Report, options: ReportOptions): readonly Annotation[] {
  const cause = sharedCause(report.checks, options.texts);
  const groups = report.checks.flatMap((result) =>
    groupsOf(result).flatMap((group): Annotated[] => {
      const level = LEVELS[group.severity];
      // An effect is not a second fault.
      return level === undefined || group.cause !== undefined ? [] : [{ ...group, level, result }];
    }),
  );
  if (cause !== null) {
    // It is about no file.
    const group = groups.find(({ result }) => result.id === cause.id);
    if (group === undefined) return [];
    const lead = `${options.messages.sameCause(failing(report.checks).length)} `;
    const facts = group.findings.map(({ evidence }) => factsLine(evidence, options));
    return [annotation({ ...group, count: 1 }, facts, [report.site.url], options, lead)];
  }
  return (['error', 'warning'] as const).flatMap((level) => {
    const ofLevel = groups.filter((group) => group.level === level);
    const kept = fairlyChosen(ofLevel);
    const countOf = (all: readonly Group[]): number => all.reduce((sum, { count }) => sum + count, 0);
    const leftOut = countOf(ofLevel) - countOf(kept);
    const shares = shared(kept, MOST_OF_ONE_LEVEL, options.locate);
    return shares.map(({ group, location }, index): Annotation => {
      const more = leftOut > 0 && index === shares.length - 1 ? [options.messages.moreInLog(leftOut)] : [];
      const { result } = group;
      return { ...annotation(group, memberLines(group, options), [result.url, ...more], options), location };
    });
  });
}

/** The first of every check before the second of any. */
function fairlyChosen(groups: readonly Annotated[]): readonly Annotated[] {
  const ofCheck = Map.groupBy(groups, ({ id }) => id);
  const turn = (group: Annotated): number => ofCheck.get(group.id)?.indexOf(group) ?? 0;
  const kept = new Set(groups.toSorted((one, other) => turn(one) - turn(other)).slice(0, MOST_OF_ONE_LEVEL));
  return groups.filter((group) => kept.has(group));
}

/** `lead` precedes the problem; `facts` follow it, and `tail` follows the fix. */
function annotation(
  { id, rule, level, severity, count }: Annotated,
  facts: readonly string[],
  tail: readonly string[],
  options: ReportOptions,
  lead = '',
): Annotation {
  const { texts } = options;
  const { problem = rule, fix = '' } = texts.finding(id, rule) ?? {};
  const title = texts.check(id)?.title;
  const name = `${id}/${rule}${count > 1 ? ` ×${count}` : ''}${title === undefined ? '' : ` · ${title}`}`;
  const action = fix === '' ? [] : `${adviceWord(severity, options)} ${fix}`.split('\n');
  return {
    level,
    title: cutText(logLine(name), LONGEST_TITLE),
    message: messageOf([`${lead}${problem}`, ...facts], [...action, ...tail]),
    location: null,
  };
}

/** Where the findings show, with their facts: the first ones, then how many more there are. */
function memberLines({ findings, count }: Group, options: ReportOptions): readonly string[] {
  const lines = findings.slice(0, MOST_MEMBERS).flatMap((finding) => {
    const all = shownLocationsOf(finding, options.locate);
    const shown = all.slice(0, findings.length === 1 ? MOST_MEMBERS : MOST_LOCATIONS);
    const more = all.length > shown.length ? [`… +${all.length - shown.length}`] : [];
    const where = [...shown, ...more].join(', ');
    const facts = factsLine(finding.evidence, options);
    const line = [where, facts].filter((part) => part !== '').join(' · ');
    return line === '' ? [] : [line];
  });
  const more = count - Math.min(findings.length, MOST_MEMBERS);
  return more > 0 ? [...lines, `… +${more}`] : lines;
}

function factsLine(evidence: Evidence, { texts }: ReportOptions): string {
  return factLines(evidence, texts.language).join(' · ');
}

/** Sentences stay whole, facts are cut; where it is too much in all, the tail is kept. */
function messageOf([problem = '', ...facts]: readonly string[], tail: readonly string[]): string {
  const shown = (lines: readonly string[], longest: number): string =>
    lines.flatMap((line) => (line === '' ? [] : [cutText(logLine(line), longest)])).join('\n');
  const end = shown(tail, LONGEST_SENTENCE);
  const body = [shown([problem], LONGEST_SENTENCE), shown(facts, LONGEST_FACTS)].filter((part) => part !== '');
  return `${cutText(body.join('\n'), LONGEST_MESSAGE - end.length - 1)}\n${end}`;
}

/** What one annotation reports of a group: the findings at one location, or at all the locations that are left. */
interface Share<G extends Group> extends Pick<Annotation, 'location'> {
  /** With these findings only. */
  readonly group: G;
}

/** A finding at one of its locations; `null`: the file as a whole, or none that is known. */
interface Member {
  readonly finding: Finding;
  readonly location: Location | null;
}

/** One line of the repository, with what is at fault there. */
interface Spot extends Pick<Annotation, 'location'> {
  readonly members: Member[];
}

/**
 * The groups as at most so many shares, in the order of the groups. Each group has one; the other shares go to the
 * checks in turn, and in a check to its groups in turn. The last share of a group has everything without its own.
 */
export function shared<G extends Group>(groups: readonly G[], most: number, locate: Locate): readonly Share<G>[] {
  const shares = groups.map((group) => ({ group, spots: spotsOf(group, locate), given: 1 }));
  const wanted = ({ group, spots }: (typeof shares)[number]): number =>
    // Of what differs from the source the lines are right: one annotation is enough.
    group.role === 'source' ? 1 : spots.filter(({ location }) => location !== null).length;
  const ofCheck = [...Map.groupBy(shares, ({ group }) => group.id).values()];
  let left = most - groups.length;
  for (let before = -1; left > 0 && left !== before;) {
    before = left;
    for (const own of ofCheck) {
      const [next] = own.filter((share) => wanted(share) > share.given).toSorted((a, b) => a.given - b.given);
      if (next === undefined || left === 0) continue;
      next.given += 1;
      left -= 1;
    }
  }
  return shares.flatMap(({ group, spots, given }) => sharesOf(group, spots, given));
}

function sharesOf<G extends Group>(group: G, spots: readonly Spot[], count: number): readonly Share<G>[] {
  if (count === 1) return [{ group, location: spots[0]?.location ?? null }];
  const [own, others] = [spots.slice(0, count - 1), spots.slice(count - 1)];
  const members = others.flatMap((spot) => spot.members);
  // Findings that are only counted belong to the last share.
  const onlyCounted = group.count - group.findings.length;
  return [
    ...own.map((spot) => ({ group: withMembers(group, spot.members), location: spot.location })),
    { group: withMembers(group, members, onlyCounted), location: others[0]?.location ?? null },
  ];
}

/** The group with these findings at these locations only. */
function withMembers<G extends Group>(group: G, members: readonly Member[], onlyCounted = 0): G {
  const findings = [...Map.groupBy(members, ({ finding }) => finding)].map(([finding, own]) => {
    const [first, ...others] = own.flatMap(({ location }) => location ?? []);
    const { location: _, locations: __, ...bare } = finding;
    if (first === undefined) return bare;
    return { ...bare, location: first, ...(others.length === 0 ? {} : { locations: [first, ...others] }) };
  });
  return { ...group, findings, count: findings.length + onlyCounted };
}

/**
 * Each line of the repository once, with the findings of a group there: lines before files, files before nothing, and
 * the first location of each finding before the others of any.
 */
function spotsOf({ findings }: Group, locate: Locate): readonly Spot[] {
  const firsts = findings.map((finding): Member => ({ finding, location: finding.location ?? null }));
  const others = findings.flatMap((finding) => {
    const locations = (finding.locations ?? []).filter((location) => !isDeepStrictEqual(location, finding.location));
    return locations.map((location): Member => ({ finding, location }));
  });
  const spots = new Map<string, Spot>();
  for (const member of [...firsts, ...others]) {
    const { finding, location } = member;
    const found = location === null ? repositoryLocationOf(finding, locate) : locate(location);
    const key = found === null ? '' : `${found.line}:${found.file}`;
    const spot = spots.get(key) ?? { location: found, members: [] };
    spot.members.push(member);
    spots.set(key, spot);
  }
  const weight = ({ location }: Spot): number => (location === null ? 2 : Number(location.line === null));
  return [...spots.values()].toSorted((one, other) => weight(one) - weight(other));
}
