// What a process that watches sites for months is set to, before anything of it is loaded.
import { readFileSync } from 'node:fs';
import v8 from 'node:v8';

// Resolving a name takes a thread until it ends, and half of them may do it at a time: with as many as rounds go on at
// once, names whose servers are silent keep nobody waiting. A thread that never works costs some kilobytes.
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

// The heap doubles before what is no longer needed is looked for: Node would let it grow further. To look for it after a
// fifth takes a third more of the processor where there is much to do, and saves a tenth of the memory; to look for it as
// often as Node can (--optimize-for-size) takes several times the work of a thousand sites.
const GROWTH_PERCENT = 100;

// New objects have so many bytes, half of them to be copied to: with more the process is larger and hardly quicker. Node
// can be told so only before it starts, but it can be told to let them grow no further for now. While little goes on it
// takes most of them away, and has to be let to give them back.
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

/** `stays`: it does not end after one round. */
export function prepareMonitor(stays) {
  // It has to be said before the first thread is used.
  process.env.UV_THREADPOOL_SIZE ??= String(threads());
  // What is no longer needed is given back soon, not when it has piled up.
  v8.setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  if (stays) boundNewSpace();
}
