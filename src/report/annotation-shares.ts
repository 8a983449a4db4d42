/** Which places have an annotation of their own, where there is room for so many. Pure. */
import type { Finding, Location } from '../check.ts';
import type { Group } from './groups.ts';
import type { Locate, RepositoryLocation } from './options.ts';
import { repositoryLocationOf } from './location.ts';

/** What one annotation tells of a group: the findings at one place, or at all the places that are left. */
export interface Share<G extends Group> {
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
  // Those that are not told one by one are left, too.
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
