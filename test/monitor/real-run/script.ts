/** What happens to the site, its monitor and the receiver of its alerts, and what has to come of it. Times in seconds. */
import type { LeavingReceiver } from './receiver.ts';
import type { Watcher } from './watcher.ts';

/** What the script can do. */
export interface Stage {
  readonly monitor: Watcher;
  readonly receiver: LeavingReceiver;
  stopHost(): Promise<void>;
  startHost(): Promise<void>;
  /** Puts a file in place, whole; `null`: takes it away. */
  deploy(file: string, text: string | null): void;
  /** Puts the file that belongs there in place again. */
  restore(file: string): void;
}

/** What an incident has to say. */
export interface Expected {
  readonly verdict: string;
  readonly checks: readonly string[];
  readonly rules: readonly string[];
}

export interface Act {
  readonly name: string;
  /** Since the beginning. */
  readonly at: number;
  /** From the fault to its end. */
  readonly lasts: number;
  /** `null`: no incident, it is over before it is confirmed. */
  readonly expected: Expected | null;
  begin(stage: Stage): Promise<void> | void;
  end(stage: Stage): Promise<void> | void;
  /** What happens meanwhile, so many seconds after the beginning. */
  readonly meanwhile?: readonly { readonly after: number; act(stage: Stage): Promise<void> | void }[];
}

const FIVE = ['bundle', 'config', 'navigation', 'home', 'llms-txt'];
const DOWN = { verdict: 'down', checks: FIVE, rules: FIVE.map((check) => `${check}/refused`) };

const hostGone = (at: number, lasts: number): Act => ({
  name: 'the web server is gone',
  at,
  lasts,
  expected: DOWN,
  begin: (stage) => stage.stopHost(),
  end: (stage) => stage.startHost(),
});

const fileWrong = (
  name: string,
  file: string,
  text: string | null,
  at: number,
  lasts: number,
  expected: Expected,
): Act => ({
  name,
  at,
  lasts,
  expected,
  begin: (stage) => stage.deploy(file, text),
  end: (stage) => stage.restore(file),
});

/** An hour, as the monitor's defaults have it: the five every ten seconds, an objective of a minute. */
export const HOUR: readonly Act[] = [
  hostGone(5 * 60, 41),
  fileWrong('config.json ends with a comma too many', 'config.json', '{"a": 1,}\n', 12 * 60, 180, {
    verdict: 'down',
    checks: ['config'],
    rules: ['config/trailing-comma'],
  }),
  fileWrong('llms.txt was not deployed', 'llms.txt', null, 20 * 60, 90, {
    verdict: 'degraded',
    checks: ['llms-txt'],
    rules: ['llms-txt/not-found'],
  }),
  { ...hostGone(26 * 60, 1.5), name: 'the web server restarts', expected: null },
  {
    ...hostGone(32 * 60, 240),
    name: 'the web server is gone, and the monitor is killed meanwhile',
    meanwhile: [
      { after: 60, act: (stage) => stage.monitor.kill() },
      { after: 75, act: (stage) => stage.monitor.start() },
    ],
  },
  {
    ...fileWrong(
      'navigation.md was not deployed, and the receiver of alerts is gone',
      'navigation.md',
      null,
      44 * 60,
      60,
      {
        verdict: 'degraded',
        checks: ['navigation'],
        rules: ['navigation/not-found'],
      },
    ),
    meanwhile: [
      { after: -30, act: (stage) => stage.receiver.leave() },
      { after: 150, act: (stage) => stage.receiver.comeBack() },
    ],
  },
  {
    ...hostGone(53 * 60, 20),
    name: 'a deploy that takes the server down',
    begin: async (stage) => {
      stage.deploy(
        'index.html',
        '<!doctype html>\n<html lang="en"><title>Stations, new</title><script src="app.js"></script></html>\n',
      );
      await new Promise((resolve) => {
        setTimeout(resolve, 15_000);
      });
      await stage.stopHost();
    },
    end: (stage) => stage.startHost(),
  },
];

/** How the site of the short script is watched. */
export const SHORT_SITE = { every: '1s', full: false, confirm: { after: '300ms', times: 3 } } as const;

/** The same in a minute, with rounds every second. Two incidents: with a third in so short a time the site would flap. */
export const SHORT: readonly Act[] = [
  {
    ...hostGone(4, 6),
    name: 'the web server is gone, and the receiver of alerts with it',
    meanwhile: [
      { after: -2, act: (stage) => stage.receiver.leave() },
      { after: 10, act: (stage) => stage.receiver.comeBack() },
    ],
  },
  { ...hostGone(18, 0.2), name: 'the web server restarts', expected: null },
  {
    ...fileWrong(
      'config.json ends with a comma too many, and the monitor is killed',
      'config.json',
      '{"a": 1,}\n',
      24,
      14,
      { verdict: 'down', checks: ['config'], rules: ['config/trailing-comma'] },
    ),
    meanwhile: [
      { after: 6, act: (stage) => stage.monitor.kill() },
      { after: 7, act: (stage) => stage.monitor.start() },
    ],
  },
];
