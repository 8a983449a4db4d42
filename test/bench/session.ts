/** One run of the benchmark: its folder, its peers, what it says, and its end, however that comes. */
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Found, Peer } from './peers/peer.ts';
import type { PeerName } from './peers/peers.ts';
import type { Bench } from './row.ts';

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export class Session {
  readonly #folder = mkdtempSync(path.join(realpathSync(tmpdir()), 'docvitals-bench-'));
  readonly #stop = new AbortController();
  readonly #found: ReadonlyMap<PeerName, Found>;
  readonly #sites: number;
  readonly problems: string[] = [];

  constructor(found: ReadonlyMap<PeerName, Found>, sites: number) {
    this.#found = found;
    this.#sites = sites;
    // nginx' workers are somebody else where this is root's, and read the sites in it.
    chmodSync(this.#folder, 0o755);
    for (const signal of ENDING) process.once(signal, () => this.#stop.abort(new Error(`stopped by ${signal}`)));
  }

  get stopped(): boolean {
    return this.#stop.signal.aborted;
  }

  throwIfStopped(): void {
    this.#stop.signal.throwIfAborted();
  }

  /** What something of this name measures with. */
  bench(id: string, pairs: number): Bench {
    return {
      pairs,
      sites: this.#sites,
      folder: this.#folder,
      peer: (name) => this.#peer(name),
      progress: (text) => progress(`${id}: ${text}`),
      signal: this.#stop.signal,
    };
  }

  /** Why what needs them cannot be run. */
  missing(needs: readonly PeerName[]): string | undefined {
    for (const name of needs) {
      const found = this.#found.get(name);
      if (found === undefined) return `${name}: not looked for`;
      if ('missing' in found) return `${name}: ${found.missing}`;
    }
    return undefined;
  }

  /** Something is wrong, but the rest can go on. */
  fail(problem: string): void {
    this.problems.push(problem);
    say(`✗ ${problem}`);
  }

  /** Nothing is left of it. */
  close(): void {
    progress('');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #peer(name: PeerName): Peer {
    const found = this.#found.get(name);
    if (found === undefined || 'missing' in found) throw new Error(`${name} was not looked for`);
    return found;
  }
}

/** A line for whoever watches. */
export function say(line: string): void {
  progress('');
  console.error(line);
}

/** Instead of what was said last, where somebody watches. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
}
