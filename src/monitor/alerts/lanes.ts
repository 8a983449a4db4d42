/** How much goes on at each route, so that a receiver that is dead or slow delays no other. */

/** Alerts that are sent to one receiver at once. */
const AT_ONCE = 4;
/** Over all receivers. */
const AT_ONCE_IN_ALL = 64;

interface Lane {
  flying: number;
  /** Failures in a row. */
  failures: number;
  /** Nothing is sent before; ms since 1970. */
  pausedUntil: number;
}

export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  #flying = 0;

  /** How many failures in a row a route has. */
  failures(route: string): number {
    return this.#of(route).failures;
  }

  /** Whether one more can be sent now. A receiver that did not take the last one is tried with a single one. */
  mayStart(route: string, now: number): boolean {
    const { flying, failures, pausedUntil } = this.#of(route);
    return this.#flying < AT_ONCE_IN_ALL && flying < (failures > 0 ? 1 : AT_ONCE) && pausedUntil <= now;
  }

  /** When the first receiver that is left alone may be asked again; `now` where none is. */
  nextStart(now: number): number {
    const ends = [...this.#lanes.values()].map(({ pausedUntil }) => pausedUntil).filter((until) => until > now);
    return ends.length === 0 ? now : Math.min(...ends);
  }

  start(route: string): void {
    this.#of(route).flying += 1;
    this.#flying += 1;
  }

  /** One has ended, however. */
  end(route: string): void {
    this.#of(route).flying -= 1;
    this.#flying -= 1;
  }

  worked(route: string): void {
    Object.assign(this.#of(route), { failures: 0, pausedUntil: 0 });
  }

  /** The receiver is not to be asked before. */
  paused(route: string, until: number): void {
    const lane = this.#of(route);
    lane.failures += 1;
    lane.pausedUntil = until;
  }

  /** Nobody is left alone for longer because the clock was set back. */
  clockSetBack(ms: number): void {
    for (const lane of this.#lanes.values()) lane.pausedUntil -= ms;
  }

  #of(route: string): Lane {
    const lane = this.#lanes.get(route) ?? { flying: 0, failures: 0, pausedUntil: 0 };
    this.#lanes.set(route, lane);
    return lane;
  }
}
