/** What was measured where: without it, numbers say little. */
import { readFileSync } from 'node:fs';
import { cpus, release, type } from 'node:os';
import type { Found } from './peers/peer.ts';

export interface Environment {
  readonly cpu: string;
  readonly cores: number;
  readonly system: string;
  readonly node: string;
  /** Versions of the peers, by name. */
  readonly peers: Readonly<Record<string, string>>;
}

export function environmentOf(peers: ReadonlyMap<string, Found>): Environment {
  const [first] = cpus();
  const versions = [...peers].flatMap(([name, peer]) => ('missing' in peer ? [] : [[name, peer.version] as const]));
  return {
    cpu: first?.model ?? 'unknown',
    cores: cpus().length,
    system: system(),
    node: process.versions.node,
    peers: Object.fromEntries(versions),
  };
}

/** As the distribution names itself. */
function system(): string {
  try {
    const name = /^PRETTY_NAME="(.+)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
    if (name !== undefined) return name;
  } catch {
    // Not a Linux.
  }
  return `${type()} ${release()}`;
}

/** In one line. */
export function machine({ cpu, cores, system: name, node, peers }: Environment): string {
  const versions = Object.entries(peers).map(([peer, version]) => `${peer} ${version}`);
  return [`${cores} cores of ${cpu}`, name, `Node ${node}`, ...versions].join(', ');
}

/** Whether figures of both can stand in one table. */
export const isSameMachine = (one: Environment, other: Environment): boolean =>
  one.cpu === other.cpu && one.cores === other.cores && one.system === other.system && one.node === other.node;
