/** What happens in the night, when, and to whom. Times are minutes after 22:00 UTC, by the clock on the wall. */
import { sampleSite } from '../../site/sample.ts';
import type { Condition, WatchedHost } from '../watched-host.ts';
import type { Stage } from './stage.ts';

export interface Act {
  /** Minutes after 22:00. */
  readonly at: number;
  readonly play: (stage: Stage) => Promise<void> | void;
}

const SECOND = 1 / 60;

/** The moment at which `docs` is checked, in seconds after each tenth of a minute: its place in the night is its own. */
export const DOCS_TICK = 2.5;
/** Just before `docs` is checked. */
const BEFORE = (DOCS_TICK - 0.5) * SECOND;

type HostName = 'main' | 'blog' | 'intranet';

/** A host is out of order for some seconds. */
function outage(at: number, seconds: number, condition: Condition, host: HostName = 'main'): readonly Act[] {
  const set = (next: Condition) => (stage: Stage) => {
    stage[host].condition = next;
  };
  return [
    { at: at + BEFORE, play: set(condition) },
    { at: at + BEFORE + seconds * SECOND, play: set('well') },
  ];
}

/** Another version goes live. */
function deploy(host: WatchedHost, version: string): void {
  const shell = String(sampleSite().get('index.html'));
  host.files.set('index.html', shell.replace('</body>', `<!-- ${version} --></body>`));
}

function mended(host: WatchedHost, ...paths: readonly string[]): void {
  const files = sampleSite();
  for (const path of paths) host.files.set(path, files.get(path) ?? '');
}

/** Down for a minute, up for a minute, twelve times. */
const flapping = Array.from({ length: 12 }, (_, turn) => outage(60 + 2 * turn, 60, 'reset', 'blog')).flat();

const everywhere =
  (condition: Condition) =>
  async (stage: Stage): Promise<void> => {
    for (const host of ['main', 'blog', 'intranet'] as const) stage[host].condition = condition;
    await stage.connected(condition === 'well');
  };

/** In the order of the clock. */
export const ACTS: readonly Act[] = [
  // Over before it was confirmed.
  ...outage(5, 3, 'reset'),
  // Short, and confirmed all the same.
  ...outage(8, 5, 'reset'),
  ...outage(12, 30, 'failing'),
  // Of two sites on one host.
  ...outage(20, 600, 'failing'),
  // A deploy that breaks the configuration, and one that mends it.
  {
    at: 40 + BEFORE,
    play: ({ main }) => {
      deploy(main, 'v2');
      main.condition = 'broken';
    },
  },
  {
    at: 42 + BEFORE,
    play: ({ main }) => {
      deploy(main, 'v3');
      main.condition = 'well';
    },
  },
  // Degraded, and down for a while in the middle.
  { at: 50 + BEFORE, play: ({ main }) => void main.files.delete('navigation.md') },
  { at: 51 + BEFORE, play: ({ main }) => void main.files.delete('config.json') },
  { at: 52 + BEFORE, play: ({ main }) => mended(main, 'config.json') },
  { at: 53 + BEFORE, play: ({ main }) => mended(main, 'navigation.md') },
  ...flapping,
  // Our own network is gone.
  { at: 90, play: everywhere('reset') },
  { at: 100, play: everywhere('well') },
  // Degraded, over an outage and beyond it.
  { at: 103 + BEFORE, play: ({ main }) => void main.files.delete('navigation.md') },
  { at: 112 + BEFORE, play: ({ main }) => mended(main, 'navigation.md') },
  // Nobody receives alerts.
  { at: 105, play: (stage) => stage.receiving(false) },
  ...outage(107, 120, 'failing'),
  { at: 120, play: (stage) => stage.receiving(true) },
  // The monitor is stopped in the middle of an outage, and started again two minutes later; with a defect under it that is
  // fixed meanwhile.
  { at: 136 + BEFORE, play: ({ main }) => void main.files.delete('navigation.md') },
  ...outage(137, 300, 'reset'),
  { at: 141, play: ({ main }) => mended(main, 'navigation.md') },
  { at: 138.5, play: ({ world }) => world.restart(120_000) },
  // The disk is full.
  { at: 147, play: ({ disk }) => disk.full() },
  ...outage(152, 60, 'failing'),
  { at: 162, play: ({ disk }) => disk.free() },
  // The machine sleeps for twenty minutes.
  { at: 165, play: ({ world }) => world.around.sleep(20 * 60_000) },
  // Maintenance from 01:25 to 01:55, outlasted by five minutes.
  ...outage(210, 1_800, 'failing', 'intranet'),
  // The clock is set back by five minutes.
  { at: 243, play: ({ world }) => world.around.setWall(-5 * 60_000) },
  ...outage(245, 30, 'reset'),
];

/** When it is over. */
export const END = 250;
