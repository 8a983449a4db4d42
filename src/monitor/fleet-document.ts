/** Runners, coordinators and the runs that wait for them, as the API and `docvitals status --format json` print them. */
import type { Member } from './fleet/members.ts';
import { iso } from '../core/time.ts';
import type { Location } from './settings.ts';
import type { FleetView } from './view.ts';

/** Whoever is silent for longer is not counted on. */
const ALIVE_MS = 8_000;

const isAlive = ({ silentMs }: Pick<Member, 'silentMs'>): boolean => silentMs < ALIVE_MS;

/** The runners of a location that are alive. */
export const runnersOf = (members: readonly Member[], location: string): readonly Member[] =>
  members.filter((member) => member.role === 'runner' && member.location === location && isAlive(member));

/** `fleet`: `null` where this machine checks the sites. The backlog is `null` where the database cannot be read. */
export async function fleetDocument(fleet: FleetView | null, locations: readonly Location[], now: number) {
  const members = fleet?.members() ?? [];
  const backlog = (await fleet?.backlog().catch(() => null)) ?? null;
  return {
    locations: locations.map(({ id, title }) => ({
      id,
      title,
      runners: runnersOf(members, id).length,
      /** Runs that wait for a runner. */
      backlog: backlog === null ? null : (backlog.get(id) ?? 0),
      /** Results of it that were rejected since the coordinator started. */
      ...(fleet?.rejected === undefined ? {} : { rejected: fleet.rejected(id) }),
    })),
    members: members.map((member) => {
      const { startedAt, silentMs, ...rest } = member;
      const heartbeatAt = iso(now - silentMs);
      return { ...rest, startedAt: iso(startedAt), heartbeatAt, alive: isAlive(member) };
    }),
  };
}
