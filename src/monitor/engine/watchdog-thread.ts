/**
 * Ends the process once its main thread has used 10 s of processor time without a turn of its event loop: nothing else can,
 * not even a signal. Processor time, because a machine that slept or is busy must not look blocked.
 */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { readBlocks, writeBlocks, type Block } from './blocks.ts';

export interface WatchdogData {
  /** `[0]`: counts the turns; `[1]`: bytes of `running`. */
  readonly turns: Int32Array<SharedArrayBuffer>;
  /** The runs in progress, as JSON. */
  readonly running: Uint8Array<SharedArrayBuffer>;
  /** Where the next start finds them. */
  readonly file: string;
  readonly limitMs: number;
}

const LOOK_EVERY_MS = 500;
const STDERR = 2;

const { turns, running, file, limitMs } = workerData as WatchdogData;
let last = Atomics.load(turns, 0);
let usedThen = usedMs();

setInterval(() => {
  const turn = Atomics.load(turns, 0);
  const used = usedMs();
  if (turn === last && used - usedThen >= limitMs) end();
  if (turn === last) return;
  last = turn;
  usedThen = used;
}, LOOK_EVERY_MS);

function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function end(): void {
  const text = Buffer.from(running.slice(0, Atomics.load(turns, 1))).toString('utf8');
  const block: Block = { at: Date.now(), runs: JSON.parse(text) as readonly string[] };
  try {
    writeSync(STDERR, `docvitals: blocked for ${limitMs} ms of processor time; running: ${block.runs.join(', ')}\n`);
    writeBlocks(file, [...readBlocks(file), block]);
  } finally {
    // `process.exit` of a thread ends the thread only.
    process.kill(process.pid, 'SIGKILL');
  }
}
