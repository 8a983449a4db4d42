// Settings of a process that watches sites for months, made before anything of it is loaded.
import { readFileSync } from 'node:fs';
import v8 from 'node:v8';

// Resolving a name takes a thread until it ends, and half of them may do it at a time: with one for each concurrent run,
// silent name servers delay no other site. An idle thread costs some kilobytes.
const THREADS = 512;

// Where fewer tasks are allowed, as in some containers: a thread that cannot be made would end the process.
function threads() {
  try {
    const most = Number(readFileSync('/sys/fs/cgroup/pids.max', 'utf8'));
    return Number.isNaN(most) ? THREADS : Math.max(4, Math.min(THREADS, Math.floor(most / 4)));
  } catch {
    return THREADS;
  }
}

// How much the heap grows between garbage collections; Node's default is more. At 20 % a busy monitor takes a third more
// CPU time and a tenth less memory; --optimize-for-size takes several times the CPU time at a thousand sites.
const GROWTH_PERCENT = 100;

// Bytes for new objects: with more, the process is larger and hardly faster. V8 takes the size only before it starts, but
// its growth can be stopped later. While idle, V8 shrinks this space, and must be allowed to grow it again.
const ENOUGH_FOR_NEW = 32 * 1024 * 1024;
const LOOK_AFTER_MS = 1000;

function boundNewSpace() {
  let growth;
  const timer = setInterval(() => {
    const space = v8.getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    const wanted = space !== undefined && space.space_size < ENOUGH_FOR_NEW ? 2 : 1;
    if (wanted !== growth) v8.setFlagsFromString(`--semi-space-growth-factor=${(growth = wanted)}`);
  }, LOOK_AFTER_MS);
  timer.unref();
}

/** `stays`: the process does not end after one run. */
export function prepareMonitor(stays) {
  // Before the first thread is used.
  process.env.UV_THREADPOOL_SIZE ??= String(threads());
  v8.setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  if (stays) boundNewSpace();
}
